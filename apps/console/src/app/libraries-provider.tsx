import type { Icon, Image } from '@opensocial/contract';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { type Libraries, LibrariesContext } from '../patterns/libraries/libraries.ts';

type LibrariesProviderProps = { children: ReactNode };

/** Provides the image and icon libraries. The code of a library is loaded when it first opens. */
export function LibrariesProvider({ children }: LibrariesProviderProps) {
  const { ask, dialog } = useDialog();
  const libraries = useMemo<Libraries>(
    () => ({
      chooseImage: async (request) => {
        const { MediaLibraryModal } = await import('../features/media/media-library-modal.tsx');
        return ask<Image>((answer) => <MediaLibraryModal {...request} onChoose={answer} onCancel={() => answer()} />);
      },
      chooseIcon: async () => {
        const { IconLibraryModal } = await import('../features/icons/icon-library-modal.tsx');
        return ask<Icon>((answer) => <IconLibraryModal onChoose={answer} onCancel={() => answer()} />);
      },
    }),
    [ask],
  );
  return (
    <LibrariesContext value={libraries}>
      {children}
      {dialog}
    </LibrariesContext>
  );
}

type Answer<Choice> = (choice?: Choice) => void;

/** Shows a dialog and returns its answer as a promise. */
const useDialog = () => {
  const [dialog, setDialog] = useState<ReactNode>();
  const dismiss = useRef<() => void>(undefined);
  const { pathname } = useLocation();
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- going to another address answers with nothing
  useEffect(() => () => dismiss.current?.(), [pathname]);

  const ask = useCallback(
    <Choice,>(show: (answer: Answer<Choice>) => ReactNode): Promise<Choice | undefined> =>
      new Promise((resolve) => {
        const answer = (choice?: Choice) => {
          dismiss.current = undefined;
          setDialog(undefined);
          resolve(choice);
        };
        dismiss.current = answer;
        setDialog(show(answer));
      }),
    [],
  );
  return { ask, dialog };
};
