import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { TemplateKind } from '@opensocial/contract';
import { colourOr, type Design, isDesign, type MergeTag } from '@opensocial/contract/mail';
import type { AnyExtension, Editor, JSONContent } from '@tiptap/core';
import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { type ReactNode, useCallback, useId, useMemo, useRef, useState } from 'react';
import { imageAddress } from '../../../api/links/image-address.ts';
import { useLibraries } from '../../../patterns/libraries/libraries.ts';
import { BlockKeys, CursorFirst } from './document/block-keys.ts';
import { currentBlock, setBlock } from './document/block-model.ts';
import { boxOfBlock } from './document/block-places.ts';
import { blocks as blocksWith } from './document/blocks.ts';
import { mailExtensions } from './document/mail-schema.ts';
import { readSaved } from './document/saved-design.ts';
import { UndoSteps } from './document/undo-steps.ts';
import { BlockHandles } from './handles/block-handles.tsx';
import { Inspector } from './inspector/inspector.tsx';
import classes from './mail-editor.module.css';
import { SuggestionList } from './suggestions/suggestion-list.tsx';
import { SuggestionStore, suggestions } from './suggestions/suggestions.ts';
import { Toolbar } from './toolbar/toolbar.tsx';

export type MailEditorProps = {
  kind: TemplateKind;
  /** The template as the server stores it. It is read once. */
  saved: string;
  origin: string;
  network: string;
  /** The name of the mail. */
  label: string;
  tagTexts: Readonly<Record<MergeTag, string>>;
  onReady: (editor: Editor) => void;
  onChange: (design: Design) => void;
};

export const designOf = (editor: Editor): Design => {
  const design: unknown = editor.getJSON();
  if (!isDesign(design)) throw new Error('The editor has no document');
  return design;
};

/** The visual editor of a mail, 600 px wide, as its readers will see it. */
export function MailEditor(props: MailEditorProps) {
  const { kind, origin, network, label, tagTexts } = props;
  const chooseImage = useImageChoice(network);
  const [store] = useState(() => new SuggestionStore());
  const stage = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const handlesId = useId();
  const isNarrow = useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const blocks = useMemo(() => blocksWith(kind, chooseImage), [kind, chooseImage]);
  const editor = useMailEditor(props, [
    suggestions(store, kind, blocks),
    UndoSteps,
    CursorFirst,
    BlockKeys.configure({ handles: handlesId }),
  ]);
  const page = useEditorState({ editor, selector: () => colourOr(editor.state.doc.attrs['background'], undefined) });

  const handleChangeImage = async (pos: number) => {
    setOpen(false);
    const image = await chooseImage();
    if (!image) return;
    const { tr } = editor.state;
    setBlock(tr, pos, { src: image.src, alt: image.alt });
    editor.view.dispatch(tr);
    editor.view.focus();
  };
  const handleSettings = () => {
    const block = currentBlock(editor.state);
    const box = block && boxOfBlock(editor, block.pos);
    // The settings sheet covers the lower half of the window, the tools and the handles cover its top.
    if (isNarrow && box) window.scrollBy(0, box.top - 216);
    if (isNarrow) setOpen(true);
    else side.current?.querySelector<HTMLElement>('button, input')?.focus();
  };
  const inspector = (
    <Inspector editor={editor} kind={kind} origin={origin} onChangeImage={(pos) => void handleChangeImage(pos)} />
  );
  return (
    <div className={classes.editor}>
      <Toolbar
        editor={editor}
        kind={kind}
        origin={origin}
        blocks={blocks}
        tagTexts={tagTexts}
        label={`Tools: ${label}`}
      />
      <div className={classes.work}>
        <div ref={stage} className={classes.stage}>
          <EditorContent editor={editor} className={classes.canvas} style={page ? { backgroundColor: page } : {}} />
          <BlockHandles editor={editor} stage={stage} id={handlesId} onSettings={handleSettings} />
        </div>
        {!isNarrow && (
          <div ref={side} className={classes.side}>
            {inspector}
          </div>
        )}
      </div>
      {isNarrow && (
        <SettingsSheet opened={isOpen} onClose={() => setOpen(false)}>
          {inspector}
        </SettingsSheet>
      )}
      <SuggestionList store={store} editor={editor} />
    </div>
  );
}

/** The widest image in pixels: the mail is 600 wide, with a margin on both sides. */
const imageWidth = 536;

/** Asks for an image of the media library. */
const useImageChoice = (network: string) => {
  const { chooseImage } = useLibraries();
  return useCallback(async () => {
    const image = await chooseImage({ network, kind: 'image' });
    if (!image) return undefined;
    const { name, alt_text, width } = image;
    return { src: imageAddress({ network, kind: 'image', name }), alt: alt_text, width: Math.min(width, imageWidth) };
  }, [chooseImage, network]);
};

const useMailEditor = ({ saved, origin, label, onReady, onChange }: MailEditorProps, extensions: AnyExtension[]) =>
  useEditor({
    extensions: [...mailExtensions(origin), ...extensions],
    content: readSaved(saved) as JSONContent,
    // The CSP refuses the style element of TipTap. Our stylesheet has its rules.
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: classes['mail'] ?? '' },
    },
    onCreate: ({ editor }) => {
      onReady(editor);
      onChange(designOf(editor));
    },
    onUpdate: ({ editor }) => onChange(designOf(editor)),
  });

type SettingsSheetProps = { opened: boolean; onClose: () => void; children: ReactNode };

/** The settings of the block on narrow screens, as a sheet at the bottom. */
function SettingsSheet({ opened, onClose, children }: SettingsSheetProps) {
  return (
    <Drawer
      opened={opened}
      position="bottom"
      size="60%"
      title="Settings"
      classNames={{ body: classes.sheet ?? '', title: classes.sheetTitle ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // It would write a style element, which the CSP refuses.
      lockScroll={false}
      // The colours of the mail stay visible while the user chooses them.
      withOverlay={false}
      shadow="xl"
      onClose={onClose}
    >
      {children}
    </Drawer>
  );
}
