import { createContext } from 'react';

/** The foot of the panel, where a tab puts its own buttons. */
export const FooterPlaceContext = createContext<HTMLElement | null>(null);
