import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Listed } from '../../api/transport/paged-query.ts';
import { OneByOneDialog } from '../confirm/one-by-one-dialog.tsx';
import { PanelList } from '../panel-list/panel-list.tsx';
import type { ListDescription } from '../record-list/model/list-description.ts';

type MemberListProps<Row extends Listed> = Omit<ListDescription<Row>, 'stateIn' | 'bulk' | 'onTicked' | 'tools'> & {
  /** The view that assigns more, beside this tab's own address. */
  assign?: { label: string; to: string };
  /** Left out where nothing may be taken away. */
  removal?: {
    title: string;
    text: string;
    act: (row: Row) => Promise<unknown>;
    /** After it, however it ended. */
    onReload: () => void;
  };
};

/** What belongs to a record, as a tab of its panel: listed, assigned and taken away again. */
export function MemberList<Row extends Listed>({ assign, removal, ...list }: MemberListProps<Row>) {
  const { search } = useLocation();
  const [leaving, setLeaving] = useState<readonly Row[]>();
  return (
    <>
      <PanelList
        {...list}
        {...(removal && { bulk: [{ label: 'delete', icon: IconTrash, onAct: setLeaving }] })}
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
      {removal && leaving && (
        <OneByOneDialog
          title={removal.title}
          text={removal.text}
          names={leaving.map(list.nameOf)}
          action="Delete"
          danger
          rows={leaving}
          busyText={(row) => `Removing ${list.nameOf(row)}`}
          act={removal.act}
          onReload={removal.onReload}
          onClose={() => {
            setLeaving(undefined);
            removal.onReload();
          }}
        />
      )}
    </>
  );
}
