import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { TemplateKind } from '@opensocial/contract';
import { colourOr, type Design, isDesign, type MergeTag } from '@opensocial/contract/mail';
import type { Editor, JSONContent } from '@tiptap/core';
import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { useId, useMemo, useRef, useState } from 'react';
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
  /** As the server keeps it; read once. */
  saved: string;
  origin: string;
  network: string;
  /** What the mail is called. */
  label: string;
  tagTexts: Readonly<Record<MergeTag, string>>;
  onReady: (editor: Editor) => void;
  onChange: (design: Design) => void;
};

export const designOf = (editor: Editor): Design => {
  const design: unknown = editor.getJSON();
  if (!isDesign(design)) throw new Error('The editor holds no document');
  return design;
};

/** The visual editor of a mail, 600 px wide, as its readers will see it. */
export function MailEditor({ kind, saved, origin, network, label, tagTexts, onReady, onChange }: MailEditorProps) {
  const { chooseImage } = useLibraries();
  const [store] = useState(() => new SuggestionStore());
  const stage = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const handles = useId();
  const isNarrow = useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const blocks = useMemo(() => {
    const choose = async () => {
      const image = await chooseImage({ network, kind: 'image' });
      if (!image) return undefined;
      const { name, alt_text, width } = image;
      return { src: imageAddress({ network, kind: 'image', name }), alt: alt_text, width: Math.min(width, 536) };
    };
    return blocksWith(kind, choose);
  }, [kind, chooseImage, network]);
  const editor = useEditor({
    extensions: [
      ...mailExtensions(origin),
      suggestions(store, kind, blocks),
      UndoSteps,
      CursorFirst,
      BlockKeys.configure({ handles }),
    ],
    content: readSaved(saved) as JSONContent,
    // The CSP refuses its style element: what it would say stands in our stylesheet.
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: classes['mail'] ?? '' },
    },
    onCreate: ({ editor: made }) => {
      onReady(made);
      onChange(designOf(made));
    },
    onUpdate: ({ editor: changed }) => onChange(designOf(changed)),
  });
  const page = useEditorState({ editor, selector: () => colourOr(editor.state.doc.attrs['background'], undefined) });

  const handleChangeImage = async (pos: number) => {
    const image = await chooseImage({ network, kind: 'image' });
    if (!image) return;
    const { name, alt_text } = image;
    const { tr } = editor.state;
    setBlock(tr, pos, { src: imageAddress({ network, kind: 'image', name }), alt: alt_text });
    editor.view.dispatch(tr);
    editor.view.focus();
  };
  const handleSettings = () => {
    const block = currentBlock(editor.state);
    const box = block && boxOfBlock(editor, block.pos);
    // The sheet with the settings covers the lower half of the window, the tools and the handles the top of it.
    if (isNarrow && box) window.scrollBy(0, box.top - 216);
    if (isNarrow) setOpen(true);
    else side.current?.querySelector<HTMLElement>('button, input')?.focus();
  };
  const inspector = (
    <Inspector
      editor={editor}
      kind={kind}
      origin={origin}
      onChangeImage={(pos) => {
        setOpen(false);
        void handleChangeImage(pos);
      }}
    />
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
          <BlockHandles editor={editor} stage={stage} id={handles} onSettings={handleSettings} />
        </div>
        {!isNarrow && (
          <div ref={side} className={classes.side}>
            {inspector}
          </div>
        )}
      </div>
      {isNarrow && (
        <Drawer
          opened={isOpen}
          position="bottom"
          size="60%"
          title="Settings"
          classNames={{ body: classes.sheet ?? '', title: classes.sheetTitle ?? '' }}
          closeButtonProps={{ 'aria-label': 'Close' }}
          // It would write a style element, which the content policy refuses.
          lockScroll={false}
          // The colours of the mail stay visible while they are chosen.
          withOverlay={false}
          shadow="xl"
          onClose={() => setOpen(false)}
        >
          {inspector}
        </Drawer>
      )}
      <SuggestionList store={store} editor={editor} />
    </div>
  );
}
