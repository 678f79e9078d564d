import { createContext, useContext } from 'react';

/** Actions of the shell that screens can call. */
type ShellActions = { switchNetwork: () => void };

export const ShellActionsContext = createContext<ShellActions>({ switchNetwork: () => {} });

export const useShellActions = (): ShellActions => useContext(ShellActionsContext);
