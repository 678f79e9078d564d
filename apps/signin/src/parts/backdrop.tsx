import { webUrl } from '../links.ts';
import type { Look } from '../look.ts';
import { plateColoursOf } from './plate.tsx';

type BackdropProps = { look: Look };

export function Backdrop({ look }: BackdropProps) {
  const pictureUrl = webUrl(look.site?.backgroundUrl) ?? webUrl(look.network.backgroundUrl);
  if (pictureUrl) return <img className="backdrop" src={pictureUrl} alt="" />;
  return <Washes colour={look.site ? plateColoursOf(look.site).text : violet} />;
}

const violet = '#6d5bd0';

type WashesProps = { colour: string };

/** Two soft gradients: the accent colour above, and the colour of the site below. */
function Washes({ colour }: WashesProps) {
  return (
    <svg className="backdrop washes" preserveAspectRatio="none" viewBox="0 0 100 100" aria-hidden="true">
      <radialGradient id="wash-above" cx="14%" cy="-8%" r="46%">
        <Fading colour="currentColor" />
      </radialGradient>
      <radialGradient id="wash-below" cx="104%" cy="108%" r="44%">
        <Fading colour={colour} />
      </radialGradient>
      <rect width="100" height="100" fill="url(#wash-above)" />
      <rect width="100" height="100" fill="url(#wash-below)" />
    </svg>
  );
}

type FadingProps = { colour: string };

function Fading({ colour }: FadingProps) {
  return (
    <>
      <stop offset="0" stopColor={colour} />
      <stop offset="0.5" stopColor={colour} stopOpacity="0.42" />
      <stop offset="1" stopColor={colour} stopOpacity="0" />
    </>
  );
}
