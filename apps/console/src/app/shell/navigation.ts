import { type Icon, IconLayoutGrid } from '@tabler/icons-react';
import { toHome } from '../../features/desktop/desktop.routes.tsx';

export type NavigationEntry = {
  label: string;
  icon: Icon;
  to: () => string;
  /** Shown to administrators of the network only. */
  adminOnly?: true;
};

/** SPEC 2.2, left menu, in its order. */
export const navigation: readonly NavigationEntry[] = [{ label: 'Desktop', icon: IconLayoutGrid, to: toHome }];
