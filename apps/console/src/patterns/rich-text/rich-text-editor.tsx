import { getSchema, type JSONContent } from '@tiptap/core';
import { TextAlign } from '@tiptap/extension-text-align';
import { Color, FontSize, TextStyle } from '@tiptap/extension-text-style';
import { DOMParser } from '@tiptap/pm/model';
import { EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useId, useRef } from 'react';
import { parseMarkup } from '../markup/markup.ts';
import { headingLevels } from './choices.ts';
import classes from './rich-text-editor.module.css';
import { RichTextToolbar } from './rich-text-toolbar.tsx';
import { VideoNode } from './video-node.ts';

export type RichTextEditorProps = {
  label: string;
  /** The initial HTML. A new value replaces the content, because the form was loaded or saved again. */
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

const schema = getSchema(extensions);

/** Parses HTML for the editor, whose own way to do it the Content-Security-Policy refuses. */
const toContent = (html: string): JSONContent => DOMParser.fromSchema(schema).parse(parseMarkup(html).body).toJSON();

/** An empty document is an empty paragraph. Its HTML counts as ''. */
const textOf = (editor: { isEmpty: boolean; getHTML: () => string }): string =>
  editor.isEmpty ? '' : editor.getHTML();

export function RichTextEditor({ label, value, onChange }: RichTextEditorProps) {
  const labelId = useId();
  const editor = useEditor({
    extensions,
    content: toContent(value),
    // The CSP allows no style element. Our stylesheet has the rules of TipTap.
    injectCSS: false,
    editorProps: {
      attributes: { class: classes.text ?? '', role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelId },
    },
    onUpdate: ({ editor: changed }) => onChange(textOf(changed)),
  });
  const lastValue = useRef(value);
  useEffect(() => {
    if (value === lastValue.current) return;
    lastValue.current = value;
    if (value !== textOf(editor)) editor.commands.setContent(toContent(value), { emitUpdate: false });
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
