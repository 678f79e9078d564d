/** The video players that may be embedded in a footer, with the form of their links. */
const players = [
  {
    hosts: ['youtube.com', 'm.youtube.com', 'youtu.be', 'youtube-nocookie.com'],
    id: /^(?:\/(?:embed|shorts|live)\/|\/)([\w-]{11})\/?$/,
    embed: (id: string) => `https://www.youtube-nocookie.com/embed/${id}`,
  },
  {
    hosts: ['vimeo.com', 'player.vimeo.com'],
    id: /^\/(?:video\/)?(\d{1,12})\/?$/,
    embed: (id: string) => `https://player.vimeo.com/video/${id}`,
  },
];

/** The origins that embedded videos come from. */
export const videoOrigins = ['https://www.youtube-nocookie.com', 'https://player.vimeo.com'] as const;

/** §9: converts a link to a YouTube or Vimeo video to its embed form; undefined for other addresses. */
export const toVideoEmbed = (link: string): string | undefined => {
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const host = url.hostname.replace(/^www\./, '');
  const player = players.find(({ hosts }) => hosts.includes(host));
  const watched = url.pathname === '/watch' ? `/${url.searchParams.get('v')}` : url.pathname;
  const id = player?.id.exec(watched)?.[1];
  return id === undefined ? undefined : player?.embed(id);
};
