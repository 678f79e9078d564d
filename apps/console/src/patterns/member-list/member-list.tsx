import { Button } from '@mantine/core';
import { IconCircleMinus, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Listed } from '../../api/transport/paged-query.ts';
import { OneByOneDialog } from '../confirm/one-by-one-dialog.tsx';
import { PanelList } from '../panel-list/panel-list.tsx';
import type { ListDescription } from '../record-list/model/list-description.ts';

type MemberListProps<Row extends Listed> = Omit<ListDescription<Row>, 'stateIn' | 'bulk' | 'onTicked' | 'tools'> & {
  /** The link to the view that assigns more, relative to the address of this tab. */
  assign?: { label: string; to: string };
  /** Absent if members cannot be removed. */
  removal?: {
    /** What a member is called, such as 'group'. */
    noun: string;
    /** What it is removed from, such as 'the site'. */
    from: string;
    /** Sentences about the people who are affected. */
    effects?: (rows: readonly Row[]) => Promise<readonly string[]>;
    act: (row: Row) => Promise<unknown>;
    /** Called after the removal, also if it failed. */
    onReload: () => void;
  };
};

/** The members of a record as a tab of its panel: listed, assigned and removed. */
export function MemberList<Row extends Listed>({ assign, removal, ...list }: MemberListProps<Row>) {
  const { search } = useLocation();
  const [removing, setRemoving] = useState<readonly Row[]>();
  const findEffects = removal?.effects;
  return (
    <>
      <PanelList
        {...list}
        {...(removal && { bulk: [{ label: 'remove', icon: IconCircleMinus, onAct: setRemoving }] })}
        tools={
          assign && (
            <Button
              component={Link}
              to={{ pathname: assign.to, search }}
              relative="path"
              leftSection={<IconPlus size={17} />}
            >
              {assign.label}
            </Button>
          )
        }
      />
      {removal && removing && (
        <OneByOneDialog
          title={`Confirm removing ${removal.noun}`}
          text={`Are you sure you want to remove ${removing.length === 1 ? `this ${removal.noun}` : `these ${removal.noun}s`} from ${removal.from}?`}
          names={removing.map(list.nameOf)}
          action="Remove"
          danger
          rows={removing}
          effects={findEffects && (() => findEffects(removing))}
          busyText={(row) => `Removing ${list.nameOf(row)}`}
          act={removal.act}
          onReload={removal.onReload}
          onClose={() => {
            setRemoving(undefined);
            removal.onReload();
          }}
        />
      )}
    </>
  );
}
