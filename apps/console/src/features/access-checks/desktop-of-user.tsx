import { Button } from '@mantine/core';
import type { ViewedApp, ViewedDesktop } from '@opensocial/contract';
import { IconApps, IconArrowLeft, IconEye, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { toUserAccess } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { StillTile } from '../../patterns/app-tile/still-tile.tsx';
import { TileGrid } from '../../patterns/app-tile/tile-grid.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { FactsSkeleton } from '../../patterns/facts/facts.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { PageHeading } from '../../patterns/page/page-heading.tsx';
import { desktopOfUserQuery, isGone } from './access-checks.api.ts';
import classes from './desktop-of-user.module.css';

/** The desktop as a user sees it. Its tiles cannot be opened, because the administrator would sign in as themselves. */
export function DesktopOfUser() {
  const network = useAdminNetwork();
  const userId = Number(useParams()['user_id']);
  const { data: desktop, ...query } = useQuery(desktopOfUserQuery(network, userId));
  const name = desktop ? desktop.user.fullname || desktop.user.email : 'the user';
  return (
    <>
      <PageHeading eyebrow={network.name} title={`Desktop of ${name}`}>
        <Button
          component={Link}
          to={toUserAccess(network.name, userId)}
          variant="default"
          leftSection={<IconArrowLeft size={17} stroke={1.8} />}
        >
          Back to {name}
        </Button>
      </PageHeading>
      {query.isPending && <FactsSkeleton label="Loading the desktop" lines={6} />}
      {query.isLoadingError &&
        (isGone(query.error) ? (
          <Notice icon={<IconUserOff />} title="This user was not found">
            They were removed from the network.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
      {desktop && (
        <>
          <p className={classes.banner} role="status">
            <IconEye size={20} stroke={1.7} aria-hidden="true" />
            <span>
              You see the desktop of {name} in {network.name}. Tiles cannot be opened here. This view was recorded in
              the audit log.
            </span>
          </p>
          <Tiles desktop={desktop} name={name} />
        </>
      )}
    </>
  );
}

type TilesProps = { desktop: ViewedDesktop; name: string };

function Tiles({ desktop: { user, refusal, apps }, name }: TilesProps) {
  if (refusal !== null)
    return (
      <Notice icon={<IconUserOff />} title={`${name} cannot open the desktop`}>
        {refusal}
      </Notice>
    );
  if (apps.length === 0)
    return (
      <Notice icon={<IconApps />} title="Sorry! no apps found">
        {name} sees this text in place of the tiles.
      </Notice>
    );
  return (
    <TileGrid aria-label={`Apps of ${name}`}>
      {apps.map((app) => (
        <li key={app.id}>
          <StillTile app={app} isClosed={app.refusal !== null} />
          {app.refusal !== null && <Refusal app={app} refusal={app.refusal} userId={user.id} />}
        </li>
      ))}
    </TileGrid>
  );
}

type RefusalProps = { app: ViewedApp; refusal: string; userId: number };

function Refusal({ app, refusal, userId }: RefusalProps) {
  const network = useAdminNetwork();
  return (
    <p className={classes.refusal}>
      {refusal}{' '}
      <Link to={toUserAccess(network.name, userId, app.id)} aria-label={`Why? ${app.name}`}>
        Why?
      </Link>
    </p>
  );
}
