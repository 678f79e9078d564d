import type { Site } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryClient } from '../../api/transport/query-client.ts';
import classes from '../../patterns/form/form.module.css';
import { fullTime } from '../../patterns/format/format.ts';
import { announcementQuery, type ModeAnnouncement } from './sites.api.ts';

type SiteAnnouncementProps = { site: Site };

const at = (moment: string | null): string => (moment ? fullTime(moment) : '');

const describe = ({ state, mode, outcome, last_try, next_try, tries }: ModeAnnouncement): string => {
  if (state === 'delivered') return `The site was notified that it is ${mode}, ${at(last_try)}.`;
  if (state === 'given up') return `The site was not notified that it is ${mode}. ${outcome}`;
  if (tries === 0) return `The site is being notified that it is ${mode}.`;
  return `The site has not been notified yet that it is ${mode}. ${outcome} Next try ${at(next_try)}.`;
};

/** Shows whether the Mode Update URL has received the last change of mode. */
export function SiteAnnouncement({ site }: SiteAnnouncementProps) {
  const query = announcementQuery(site.id);
  const { data } = useQuery(query);
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: query.queryKey });
    // oxlint-disable-next-line react/exhaustive-deps -- loaded again when the mode has changed
  }, [site.site_mode]);
  if (!data || data.state === 'none') return null;
  return (
    <span className={classes.hint} role="status">
      {describe(data)}
    </span>
  );
}
