import { Button } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import { Fact, Facts, FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { fullTime } from '../../../patterns/format/format.ts';
import { maintenanceQuery } from './maintenance.api.ts';
import { MaintenanceDialog } from './maintenance-dialog.tsx';

type SiteMaintenanceProps = { siteId: number };

/** §2.7: when a site is closed and opened again, and who may enter it meanwhile. */
export function SiteMaintenance({ siteId }: SiteMaintenanceProps) {
  const query = useQuery(maintenanceQuery(siteId));
  const [isPlanning, setIsPlanning] = useState(false);
  if (query.isLoadingError) return <ErrorPanel onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return <FactsSkeleton label="Loading the maintenance" lines={2} />;
  const { closes_at, opens_at, testers } = query.data;
  return (
    <>
      <Facts>
        <Fact label="Closes">{closes_at ? fullTime(closes_at) : 'Not planned'}</Fact>
        <Fact label="Opens">{opens_at ? fullTime(opens_at) : 'Not planned'}</Fact>
        <Fact label="Testers" hint="They can enter the site while it is closed. Owners always can.">
          {testers ? testers.name : 'None'}
        </Fact>
      </Facts>
      <div className={formClasses.row}>
        <Button
          variant="default"
          leftSection={<IconCalendarTime size={16} stroke={1.8} />}
          onClick={() => setIsPlanning(true)}
        >
          Plan maintenance
        </Button>
      </div>
      {isPlanning && (
        <MaintenanceDialog siteId={siteId} maintenance={query.data} onClose={() => setIsPlanning(false)} />
      )}
    </>
  );
}
