import { Button } from '@mantine/core';
import type { SessionUser } from '@opensocial/contract';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { toHome } from '../../../features/desktop/desktop.links.ts';
import { useShownNetwork } from '../navigation/use-shown-network.ts';
import classes from './top-bar.module.css';

const DefaultNetworkDialog = lazy(async () => ({
  default: (await import('../../../features/networks/default-network-dialog.tsx')).DefaultNetworkDialog,
}));

type DefaultServerButtonProps = { user: SessionUser };

/**
 * §2.2: makes the selected network the default one. Disabled on the root path and on the default network. There it is not natively
 * disabled, so that it can say why, and that the focus returns to it from the dialog that has just made the network the default.
 */
export function DefaultServerButton({ user }: DefaultServerButtonProps) {
  const { pathname } = useLocation();
  const [asked, setAsked] = useState(false);
  const isOpen = useShownNetwork(user) !== undefined;
  const isHome = pathname === toHome();
  const isDefault = user.selected_id === user.server_id;
  const StarIcon = isDefault ? IconStarFilled : IconStar;
  return (
    <>
      <Button
        className={classes.default}
        variant="subtle"
        color="gray"
        {...(!isOpen && { disabled: true, title: 'Open a network first' })}
        {...((isHome || isDefault) && {
          'aria-disabled': true,
          'data-disabled': true,
          title: `${isHome ? user.default_server : user.selected_server} is your default server`,
        })}
        leftSection={<StarIcon size={17} stroke={1.8} />}
        onClick={() => setAsked(!isDefault && !isHome)}
      >
        <span className={classes.defaultLabel}>Default Server</span>
      </Button>
      <Suspense>
        {asked && (
          <DefaultNetworkDialog
            network={{ id: user.selected_id, name: user.selected_server }}
            onClose={() => setAsked(false)}
          />
        )}
      </Suspense>
    </>
  );
}
