import type { Icon, Image } from '@opensocial/contract';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { type Libraries, LibrariesContext } from '../patterns/libraries/libraries.ts';

type LibrariesProviderProps = { children: ReactNode };

/** The libraries to choose from. Each is loaded when it is first asked for, and opens over whatever asks. */
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

/** A dialog that is asked for and answers, once. */
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
