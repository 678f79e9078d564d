import { Button, NumberInput, TextInput } from '@mantine/core';
import type { TemplateKind } from '@opensocial/contract';
import { colourOr } from '@opensocial/contract/mail';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { useEditorState } from '@tiptap/react';
import { ColourField } from '../../../patterns/colour-field/colour-field.tsx';
import classes from './inspector.module.css';
import { linkFault } from './link-fault.ts';

type InspectorProps = { editor: Editor; kind: TemplateKind; origin: string; onChangeImage: () => void };

type Attributes = Readonly<Record<string, unknown>>;
type Selected = {
  type: string | undefined;
  attrs: Attributes;
  section: Attributes | undefined;
  colour: string;
  page: string;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What can be set of what is selected: the block, the section that it is in, the words, the page. */
export function Inspector({ editor, kind, origin, onChangeImage }: InspectorProps) {
  const { type, attrs, section, colour, page } = useEditorState<Selected>({
    editor,
    selector: () => {
      const { selection, doc } = editor.state;
      const node = selection instanceof NodeSelection ? selection.node : undefined;
      return {
        type: node?.type.name,
        attrs: node?.attrs ?? {},
        section: editor.isActive('section') ? editor.getAttributes('section') : undefined,
        colour: colourOr(editor.getAttributes('textStyle')['color'], ''),
        page: colourOr(doc.attrs['background'], ''),
      };
    },
  });
  const set = (changes: object) => type && editor.commands.updateAttributes(type, changes);
  const setPage = (background: string) =>
    editor.commands.command(({ tr }) => {
      tr.setDocAttribute('background', background);
      return true;
    });
  return (
    <div className={classes.inspector} role="group" aria-label="Settings of what is selected">
      {type === 'mailButton' && (
        <Part title="Button">
          <TextInput
            label="Label"
            size="sm"
            value={textOf(attrs['label'])}
            onChange={(event) => set({ label: event.currentTarget.value })}
          />
          <TextInput
            label="Link"
            size="sm"
            placeholder="{signup_from}/"
            spellCheck={false}
            autoComplete="off"
            value={textOf(attrs['href'])}
            error={linkFault(kind, textOf(attrs['href']), origin) ?? (attrs['href'] === '' && 'A button needs a link')}
            onChange={(event) => set({ href: event.currentTarget.value })}
          />
          <ColourField
            label="Button colour"
            value={textOf(attrs['colour'])}
            onChange={(value) => set({ colour: value })}
          />
        </Part>
      )}
      {type === 'mailImage' && (
        <Part title="Image">
          <TextInput
            label="Description"
            description="For whoever does not see the picture"
            size="sm"
            value={textOf(attrs['alt'])}
            onChange={(event) => set({ alt: event.currentTarget.value })}
          />
          <NumberInput
            label="Width in pixels"
            size="sm"
            hideControls
            min={16}
            max={600}
            value={Number(attrs['width'])}
            onChange={(value) => set({ width: Number(value) })}
          />
          <Button variant="default" size="sm" onClick={onChangeImage}>
            Change the image
          </Button>
        </Part>
      )}
      {type === 'spacer' && (
        <Part title="Spacer">
          <NumberInput
            label="Height in pixels"
            size="sm"
            hideControls
            min={4}
            max={200}
            value={Number(attrs['height'])}
            onChange={(value) => set({ height: Number(value) })}
          />
        </Part>
      )}
      {type === undefined && (
        <Part title="Text">
          <ColourField
            label="Text colour"
            value={colour}
            onChange={(value) => (value ? editor.commands.setColor(value) : editor.commands.unsetColor())}
          />
        </Part>
      )}
      {section && (
        <Part title="Section">
          <ColourField
            label="Background"
            value={textOf(section['background'])}
            onChange={(background) => editor.commands.updateAttributes('section', { background })}
          />
        </Part>
      )}
      <Part title="Page">
        <ColourField label="Page colour" value={page} onChange={setPage} />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className={classes.part}>
      <legend className={classes.title}>{title}</legend>
      {children}
    </fieldset>
  );
}
