import { Button } from '@mantine/core';
import type { TemplateKind } from '@opensocial/contract';
import type { Design } from '@opensocial/contract/mail';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { fullTime } from '../../patterns/format/format.ts';
import { readSaved } from './editor/document/saved-design.ts';
import { savedSubject } from './saved-subject.ts';
import classes from './template-history.module.css';
import { TemplatePreview } from './template-preview.tsx';
import { versionQuery, versionsQuery } from './templates.api.ts';

type TemplateHistoryProps = {
  kind: TemplateKind;
  title: string;
  origin: string;
  onRestore: (version: { design: Design; subject: string; saved_at: string }) => void;
  onClose: () => void;
};

/** The versions of a template. A restored version goes into the editor and takes effect when it is saved. */
export function TemplateHistory({ kind, title, origin, onRestore, onClose }: TemplateHistoryProps) {
  const network = useAdminNetwork();
  const versions = useQuery(versionsQuery(network, kind));
  const [chosen, setChosen] = useState<number>();
  const shown = versions.data?.find(({ id }) => id === chosen) ?? versions.data?.[0];
  const version = useQuery(versionQuery(network, shown?.id));
  const saved = version.data?.template;
  return (
    <Dialog onClose={onClose} title={`Version history: ${title}`} size={1040}>
      {versions.isPending && <div className={classes.waiting} role="status" aria-label="Loading the versions" />}
      {versions.isLoadingError && <ErrorPanel onRetry={versions.refetch} retrying={versions.isFetching} />}
      {versions.data?.length === 0 && (
        <p className={classes.empty}>There is no version yet. Every save of this template adds one.</p>
      )}
      {versions.data && shown && (
        <div className={classes.history}>
          <ul className={classes.versions} aria-label="Versions">
            {versions.data.map(({ id, saved_at, saved_by }, place) => (
              <li key={id}>
                <button
                  type="button"
                  className={classes.version}
                  aria-pressed={id === shown.id}
                  onClick={() => setChosen(id)}
                >
                  <span className={classes.time}>{fullTime(saved_at)}</span>
                  <span className={classes.by}>{saved_by === '' ? 'author not recorded' : `by ${saved_by}`}</span>
                  {place === 0 && <span className={classes.now}>current</span>}
                </button>
              </li>
            ))}
          </ul>
          <div className={classes.shown}>
            {version.isLoadingError && <ErrorPanel onRetry={version.refetch} retrying={version.isFetching} />}
            {saved === undefined && !version.isLoadingError && (
              <div className={classes.waiting} role="status" aria-label="Loading the version" />
            )}
            {saved !== undefined && (
              <>
                <TemplatePreview
                  title={title}
                  design={readSaved(saved)}
                  origin={origin}
                  network={network.name}
                  isPhone={false}
                  isDark={false}
                />
                <div className={classes.buttons}>
                  <Button variant="default" onClick={onClose}>
                    Cancel
                  </Button>
                  <Button
                    onClick={() =>
                      onRestore({ design: readSaved(saved), subject: savedSubject(saved), saved_at: shown.saved_at })
                    }
                  >
                    Restore this version
                  </Button>
                </div>
              </>
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}
