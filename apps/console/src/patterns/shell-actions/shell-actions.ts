import { createContext, useContext } from 'react';

/** What a screen may ask of the frame around it. */
type ShellActions = { switchNetwork: () => void };

export const ShellActionsContext = createContext<ShellActions>({ switchNetwork: () => {} });

export const useShellActions = (): ShellActions => useContext(ShellActionsContext);
