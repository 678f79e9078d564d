import { colourOf } from '@opensocial/look/colour';
import { initialOf } from '@opensocial/look/initial';
import { webUrl } from '../links.ts';
import type { SiteLook } from '../look.ts';
import { BrandMark } from './brand-mark.tsx';

// Colours go into SVG attributes, never into styles, because the Content-Security-Policy allows no inline styles.
const hexColour = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

const orElse = (colour: string | undefined, fallback: string): string =>
  colour && hexColour.test(colour) ? colour : fallback;

export const plateColoursOf = (site: SiteLook) => {
  const own = colourOf(site.name);
  return { background: orElse(site.iconBackground, own.background), text: orElse(site.iconColor, own.text) };
};

type SitePlateProps = { site: SiteLook };

export function SitePlate({ site }: SitePlateProps) {
  const pictureUrl = webUrl(site.pictureUrl);
  if (pictureUrl) return <img className="plate" src={pictureUrl} alt="" width="58" height="58" />;
  const { background, text } = plateColoursOf(site);
  return (
    <svg className="plate" viewBox="0 0 58 58" aria-hidden="true">
      <rect width="58" height="58" fill={background} />
      {site.iconSvg ? (
        // As HTML inside the SVG: an icon may have any width, and CSS only sizes an SVG that is inside HTML.
        <foreignObject x="15" y="15" width="28" height="28" color={text} fill={text}>
          <div className="plate-icon" dangerouslySetInnerHTML={{ __html: site.iconSvg }} />
        </foreignObject>
      ) : (
        <text className="plate-letter" x="29" y="29" fill={text} textAnchor="middle" dominantBaseline="central">
          {initialOf(site.name)}
        </text>
      )}
    </svg>
  );
}

export function BrandPlate() {
  return (
    <span className="plate plate-brand">
      <BrandMark />
    </span>
  );
}
