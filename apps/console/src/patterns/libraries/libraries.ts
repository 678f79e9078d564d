import type { Icon, Image } from '@opensocial/contract';
import { createContext, useContext } from 'react';
import type { ImageKind } from '../../api/links/image-address.ts';

export type ImageRequest = {
  network: string;
  kind: ImageKind;
  /** The name of the image in use, which is selected as the library opens. */
  chosen?: string;
};

/** The libraries to choose from, each a dialog over whatever asks. Nothing is answered where it is cancelled. */
export type Libraries = {
  chooseImage: (request: ImageRequest) => Promise<Image | undefined>;
  chooseIcon: () => Promise<Icon | undefined>;
};

const nothing = () => Promise.resolve(undefined);

export const LibrariesContext = createContext<Libraries>({ chooseImage: nothing, chooseIcon: nothing });

export const useLibraries = (): Libraries => useContext(LibrariesContext);
