import { type LineDetails, siteLabel } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toSiteDetails, toUserAccess, toUserDetails, toUserTimeline } from '../../api/links/panel-links.ts';
import { isAdmin, roleQuery } from '../../api/session/role.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { browserName } from '../../patterns/browser-name/browser-name.ts';
import { Fact, Facts } from '../../patterns/facts/facts.tsx';
import { exactTime } from '../../patterns/format/format.ts';
import { StateBadge } from '../../patterns/state-mark/state-mark.tsx';
import { factorText, reasonText, sessionText } from './line-texts.ts';

type LineFactsProps = { line: LineDetails; network: NetworkRef };

/** What the person entered was wrong. The check of the access would say that they may enter. */
const wrongInputs = new Set(['wrong password', 'wrong code of the second factor']);

/** Whether a failed sign-in is of a known person at a site that still exists, so that the decision can be explained. */
const isExplainable = (line: LineDetails): line is LineDetails & { user_id: number; site_id: number } =>
  line.login_status === 'Failed' && !wrongInputs.has(line.reason) && line.user_id !== null && line.site_id !== null;

/** The links open panels for administrators only. */
export function LineFacts({ line, network }: LineFactsProps) {
  const administers = isAdmin(useQuery(roleQuery(network.name)).data);
  const { email, fullname, user_id, site, site_id, user_agent } = line;
  const label = siteLabel({ site_name: line.site_name, domain: site });
  return (
    <Facts>
      <Fact label="Reason">
        {reasonText(line)}{' '}
        {administers && isExplainable(line) && (
          <Link to={toUserAccess(network.name, line.user_id, line.site_id)}>Why?</Link>
        )}
      </Fact>
      <Fact label="Email">{email || 'Not stored: the input was not an email address.'}</Fact>
      {administers && user_id !== null ? (
        <Fact label="Person">
          {/* Owners who were invited by their address have no name before they enter one. */}
          <Link to={toUserDetails(network.name, user_id)}>{fullname || email}</Link> ·{' '}
          <Link to={toUserTimeline(network.name, user_id)}>Timeline</Link>
        </Fact>
      ) : (
        fullname !== '' && <Fact label="Name">{fullname}</Fact>
      )}
      <Fact label="Site">
        {administers && site_id !== null ? (
          <Link to={toSiteDetails(network.name, { id: site_id, domain: site })}>{label}</Link>
        ) : (
          label
        )}
      </Fact>
      <Fact label="Time">
        <time dateTime={line.login_time}>{exactTime(line.login_time)}</time>
      </Fact>
      <Fact label="IP Address">{line.ip_address}</Fact>
      {line.country !== '' && <Fact label="Country">{line.country}</Fact>}
      <Fact label="Browser" hint={user_agent}>
        {user_agent === '' ? 'Not sent by the browser' : browserName(user_agent)}
      </Fact>
      <Fact label="Second factor">{factorText(line)}</Fact>
      <Fact label="Session">
        {sessionText(line)} {line.is_this_browser && <StateBadge tone="good">This browser</StateBadge>}
      </Fact>
    </Facts>
  );
}
