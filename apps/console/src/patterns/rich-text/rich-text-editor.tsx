import { TextAlign } from '@tiptap/extension-text-align';
import { Color, FontSize, TextStyle } from '@tiptap/extension-text-style';
import { EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useId, useRef } from 'react';
import { headingLevels } from './choices.ts';
import classes from './rich-text-editor.module.css';
import { RichTextToolbar } from './rich-text-toolbar.tsx';
import { VideoNode } from './video-node.ts';

export type RichTextEditorProps = {
  label: string;
  /** HTML that the editor begins with. Another one replaces what is written: a form was loaded or saved anew. */
  value: string;
  onChange: (html: string) => void;
};

const extensions = [
  StarterKit.configure({
    heading: { levels: [...headingLevels] },
    code: false,
    codeBlock: false,
    link: { openOnClick: false, protocols: ['mailto'], defaultProtocol: 'https' },
  }),
  TextStyle,
  Color,
  FontSize,
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
  VideoNode,
];

/** An empty document is a paragraph with nothing in it; as a text it is nothing. */
const textOf = (editor: { isEmpty: boolean; getHTML: () => string }): string =>
  editor.isEmpty ? '' : editor.getHTML();

export function RichTextEditor({ label, value, onChange }: RichTextEditorProps) {
  const labelId = useId();
  const editor = useEditor({
    extensions,
    content: value,
    // Its styles are in our own file: the policy allows no style element.
    injectCSS: false,
    editorProps: {
      attributes: { class: classes.text ?? '', role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelId },
    },
    onUpdate: ({ editor: changed }) => onChange(textOf(changed)),
  });
  const held = useRef(value);
  useEffect(() => {
    if (value === held.current) return;
    held.current = value;
    if (value !== textOf(editor)) editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);
  return (
    <div>
      <span id={labelId} className={classes.label}>
        {label}
      </span>
      <div className={classes.frame}>
        <RichTextToolbar editor={editor} />
        <EditorContent editor={editor} />
      </div>
    </div>
  );
}
