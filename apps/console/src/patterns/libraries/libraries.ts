import type { Icon, Image } from '@opensocial/contract';
import { createContext, useContext } from 'react';
import type { ImageKind } from '../../api/links/image-address.ts';

export type ImageRequest = {
  network: string;
  kind: ImageKind;
  /** The name of the image in use. It is selected when the library opens. */
  chosen?: string;
};

/** The libraries to choose from. Each opens as a dialog, and resolves to undefined if the user cancels. */
export type Libraries = {
  chooseImage: (request: ImageRequest) => Promise<Image | undefined>;
  chooseIcon: () => Promise<Icon | undefined>;
};

const chooseNothing = () => Promise.resolve(undefined);

export const LibrariesContext = createContext<Libraries>({ chooseImage: chooseNothing, chooseIcon: chooseNothing });

export const useLibraries = (): Libraries => useContext(LibrariesContext);
