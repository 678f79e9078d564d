import { toVideoEmbed } from '@opensocial/contract';
import { mergeAttributes, Node, nodePasteRule } from '@tiptap/core';

declare module '@tiptap/core' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- TipTap requires module augmentation for commands
  interface Commands<ReturnType> {
    video: { insertVideo: (link: string) => ReturnType };
  }
}

const pastedLink = /https?:\/\/(?:www\.|m\.|player\.)?(?:youtube\.com|youtu\.be|vimeo\.com)\/[^\s<>"]+/g;

/** §9: a video on YouTube or Vimeo. Its link is converted to the embed form, also when it is pasted. */
export const VideoNode = Node.create({
  name: 'video',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'iframe[src]',
      getAttrs: (element) => {
        const src = toVideoEmbed(element.getAttribute('src') ?? '');
        return src === undefined ? false : { src };
      },
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['iframe', mergeAttributes({ title: 'Video' }, HTMLAttributes)],
  // The CSP of the console allows no foreign frames, so the editor shows the address. The sign-in page plays the video.
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('div');
      dom.className = 'rich-text-video';
      dom.textContent = `Video · ${new URL(String(node.attrs['src'])).hostname.replace(/^www\./, '')}`;
      return { dom };
    },
  addCommands() {
    return {
      insertVideo:
        (link) =>
        ({ commands, state }) => {
          const src = toVideoEmbed(link);
          if (src === undefined) return false;
          // A video is selected after insertion. The next one is inserted after it, instead of replacing it.
          const { from, to } = state.selection;
          const isOnVideo = state.doc.nodeAt(from)?.type === this.type;
          return commands.insertContentAt(isOnVideo ? to : { from, to }, { type: this.name, attrs: { src } });
        },
    };
  },
  addPasteRules() {
    return [
      nodePasteRule({
        find: pastedLink,
        type: this.type,
        getAttributes: ([link]) => {
          const src = toVideoEmbed(link);
          return src === undefined ? false : { src };
        },
      }),
    ];
  },
});
