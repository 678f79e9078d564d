import { createContext } from 'react';

/** The footer element of the panel, into which a tab renders its buttons. */
export const FooterPlaceContext = createContext<HTMLElement | null>(null);
