import { ActionIcon, NativeSelect } from '@mantine/core';
import {
  type Icon,
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconClearFormatting,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconSeparator,
  IconStrikethrough,
  IconUnderline,
  IconVideo,
} from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import type { KeyboardEvent } from 'react';
import { elementBeside } from '../arrow-keys/element-beside.ts';
import { AddressPopover } from './address-popover.tsx';
import { fontSizes, headingLevels } from './choices.ts';
import classes from './rich-text-toolbar.module.css';
import { TextColourPopover } from './text-colour-popover.tsx';

type RichTextToolbarProps = { editor: Editor };

type Chain = ReturnType<Editor['chain']>;
type Tool = {
  label: string;
  icon: Icon;
  /** What is pressed while the cursor stands in it. */
  active?: string | Record<string, string>;
  run: (chain: Chain) => Chain;
};

const tools: readonly (readonly Tool[])[] = [
  [
    { label: 'Bold', icon: IconBold, active: 'bold', run: (chain) => chain.toggleBold() },
    { label: 'Italic', icon: IconItalic, active: 'italic', run: (chain) => chain.toggleItalic() },
    { label: 'Underline', icon: IconUnderline, active: 'underline', run: (chain) => chain.toggleUnderline() },
    { label: 'Strike through', icon: IconStrikethrough, active: 'strike', run: (chain) => chain.toggleStrike() },
  ],
  [
    {
      label: 'Align left',
      icon: IconAlignLeft,
      active: { textAlign: 'left' },
      run: (chain) => chain.setTextAlign('left'),
    },
    {
      label: 'Align to the centre',
      icon: IconAlignCenter,
      active: { textAlign: 'center' },
      run: (chain) => chain.setTextAlign('center'),
    },
    {
      label: 'Align right',
      icon: IconAlignRight,
      active: { textAlign: 'right' },
      run: (chain) => chain.setTextAlign('right'),
    },
  ],
  [
    { label: 'List', icon: IconList, active: 'bulletList', run: (chain) => chain.toggleBulletList() },
    { label: 'Numbered list', icon: IconListNumbers, active: 'orderedList', run: (chain) => chain.toggleOrderedList() },
    { label: 'Quotation', icon: IconBlockquote, active: 'blockquote', run: (chain) => chain.toggleBlockquote() },
    { label: 'Line', icon: IconSeparator, run: (chain) => chain.setHorizontalRule() },
  ],
];

const endTools: readonly Tool[] = [
  {
    label: 'Clear formatting',
    icon: IconClearFormatting,
    run: (chain) => chain.unsetAllMarks().clearNodes().unsetTextAlign(),
  },
  { label: 'Undo', icon: IconArrowBackUp, run: (chain) => chain.undo() },
  { label: 'Redo', icon: IconArrowForwardUp, run: (chain) => chain.redo() },
];

/** Arrow keys move along the buttons, as in any toolbar; the fields keep their own keys. */
const handleArrows = (event: KeyboardEvent<HTMLDivElement>) => {
  if (!(event.target instanceof HTMLButtonElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const beside = elementBeside(buttons, event.target, event.key);
  if (!beside) return;
  event.preventDefault();
  beside.focus();
};

export function RichTextToolbar({ editor }: RichTextToolbarProps) {
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      active: tools
        .flat()
        .filter(({ active }) => active && current.isActive(active))
        .map(({ label }) => label),
      block: String(headingLevels.find((level) => current.isActive('heading', { level })) ?? 0),
      size: String(current.getAttributes('textStyle')['fontSize'] ?? '').replace('px', ''),
      colour: String(current.getAttributes('textStyle')['color'] ?? ''),
      link: String(current.getAttributes('link')['href'] ?? ''),
    }),
  });
  const chain = () => editor.chain().focus();
  const button = ({ label, icon: ToolIcon, active, run }: Tool) => (
    <ActionIcon
      key={label}
      variant="subtle"
      color="gray"
      size={34}
      aria-label={label}
      title={label}
      {...(active && { 'aria-pressed': state.active.includes(label) })}
      onClick={() => run(chain()).run()}
    >
      <ToolIcon size={18} stroke={1.8} />
    </ActionIcon>
  );
  const handleBlock = (level: number) =>
    level === 0
      ? chain().setParagraph().run()
      : chain()
          .setHeading({ level: level as 1 })
          .run();
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus
    <div className={classes.toolbar} role="toolbar" aria-label="Formatting" onKeyDown={handleArrows}>
      <NativeSelect
        className={classes.field}
        size="xs"
        aria-label="Style of the paragraph"
        value={state.block}
        onChange={(event) => handleBlock(Number(event.currentTarget.value))}
        data={[
          { value: '0', label: 'Text' },
          ...headingLevels.map((level) => ({ value: String(level), label: `Heading ${level}` })),
        ]}
      />
      <NativeSelect
        className={classes.field}
        size="xs"
        aria-label="Size of the letters"
        value={state.size}
        onChange={({ currentTarget: { value } }) =>
          (value === '' ? chain().unsetFontSize() : chain().setFontSize(`${value}px`)).run()
        }
        data={[
          { value: '', label: 'Size' },
          ...fontSizes.map((size) => ({ value: String(size), label: `${size} px` })),
        ]}
      />
      <TextColourPopover
        value={state.colour}
        onChange={(colour) => (colour === '' ? chain().unsetColor() : chain().setColor(colour)).run()}
      />
      {tools.map((group) => (
        <div key={group[0]?.label} className={classes.group}>
          {group.map(button)}
        </div>
      ))}
      <div className={classes.group}>
        <AddressPopover
          label="Link"
          icon={IconLink}
          value={state.link}
          pressed={state.link !== ''}
          hint="https://… or mailto:…"
          onSubmit={(href) =>
            href === ''
              ? chain().extendMarkRange('link').unsetLink().run()
              : editor.can().setLink({ href }) && chain().extendMarkRange('link').setLink({ href }).run()
          }
        />
        <AddressPopover
          label="Video"
          icon={IconVideo}
          value=""
          hint="The address of a video on YouTube or Vimeo"
          onSubmit={(link) => link === '' || (editor.can().insertVideo(link) && chain().insertVideo(link).run())}
        />
        {endTools.map(button)}
      </div>
    </div>
  );
}
