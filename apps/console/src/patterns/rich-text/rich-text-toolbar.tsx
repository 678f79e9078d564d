import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconBlockquote, IconClearFormatting, IconLink, IconSeparator, IconVideo } from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import type { KeyboardEvent } from 'react';
import { elementBeside } from '../arrow-keys/element-beside.ts';
import {
  alignTools,
  type EditorTool,
  historyTools,
  listTools,
  markTools,
  runTool,
  toolStates,
} from '../editor-tools/editor-tools.ts';
import { AddressPopover } from './address-popover.tsx';
import { fontSizes, headingLevels } from './choices.ts';
import classes from './rich-text-toolbar.module.css';
import { TextColourPopover } from './text-colour-popover.tsx';

type RichTextToolbarProps = { editor: Editor };

const groups: readonly (readonly EditorTool[])[] = [
  markTools,
  alignTools,
  [
    ...listTools,
    {
      label: 'Quote',
      icon: IconBlockquote,
      run: (chain) => chain.toggleBlockquote(),
      isOn: (editor) => editor.isActive('blockquote'),
    },
    { label: 'Line', icon: IconSeparator, run: (chain) => chain.setHorizontalRule() },
  ],
];

const endTools: readonly EditorTool[] = [
  {
    label: 'Clear formatting',
    icon: IconClearFormatting,
    run: (chain) => chain.unsetAllMarks().clearNodes().unsetTextAlign(),
  },
  ...historyTools,
];

/** Arrow keys move the focus between the buttons. The fields keep their own keys. */
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
      ...toolStates(current, groups.flat()),
      block: String(headingLevels.find((level) => current.isActive('heading', { level })) ?? 0),
      size: String(current.getAttributes('textStyle')['fontSize'] ?? '').replace('px', ''),
      colour: String(current.getAttributes('textStyle')['color'] ?? ''),
      link: String(current.getAttributes('link')['href'] ?? ''),
    }),
  });
  const chain = () => editor.chain().focus();
  const button = (tool: EditorTool) => {
    const { label, icon: ToolIcon, isOn } = tool;
    return (
      <ActionIcon
        key={label}
        variant="subtle"
        color="gray"
        size={34}
        aria-label={label}
        title={label}
        {...(isOn && { 'aria-pressed': state.on.includes(label) })}
        onClick={() => runTool(editor, tool)}
      >
        <ToolIcon size={18} stroke={1.8} />
      </ActionIcon>
    );
  };
  const handleBlock = (level: number) =>
    level === 0
      ? chain().setParagraph().run()
      : chain()
          .setHeading({ level: level as 1 })
          .run();
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons get the focus
    <div className={classes.toolbar} role="toolbar" aria-label="Formatting" onKeyDown={handleArrows}>
      <NativeSelect
        className={classes.field}
        size="xs"
        aria-label="Paragraph style"
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
        aria-label="Font size"
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
      {groups.map((group) => (
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
