import { addressOwner, bareAddress, type Design } from '@opensocial/contract/mail';
import { getSchema, Node } from '@tiptap/core';
import { TextAlign } from '@tiptap/extension-text-align';
import { Color, TextStyle } from '@tiptap/extension-text-style';
import { StarterKit } from '@tiptap/starter-kit';
import { MailButton, MailImage, MergeTagNode, Section, SocialLinks, Spacer } from './block-nodes.ts';
import { BlockSettings } from './block-settings.ts';
import { Column, Columns } from './column-nodes.ts';

const MailDocument = Node.create({
  name: 'doc',
  topNode: true,
  content: 'block+',
  addAttributes: () => ({ background: { default: '', rendered: false } }),
});

/** The TipTap extensions that define which nodes and marks a mail can have. */
export const mailExtensions = (origin: string) => [
  MailDocument,
  StarterKit.configure({
    document: false,
    blockquote: false,
    code: false,
    codeBlock: false,
    trailingNode: false,
    undoRedo: { depth: 500 },
    heading: { levels: [1, 2, 3] },
    link: {
      openOnClick: false,
      autolink: false,
      isAllowedUri: (address) => addressOwner(bareAddress(address), origin) !== 'none',
    },
  }),
  TextStyle,
  Color,
  TextAlign.configure({
    types: ['heading', 'paragraph', 'mailButton', 'mailImage', 'socialLinks'],
    alignments: ['left', 'center', 'right'],
  }),
  BlockSettings,
  Section,
  Columns,
  Column,
  MailButton,
  MailImage,
  Spacer,
  SocialLinks,
  MergeTagNode,
];

/** Whether the editor can show a design as it is. */
export const fitsSchema = (design: Design): boolean => {
  try {
    getSchema(mailExtensions('')).nodeFromJSON(design).check();
    return true;
  } catch {
    return false;
  }
};
