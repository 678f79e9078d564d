import { mark } from '@opensocial/look/mark';

/** In the text colour; decorative, because the name is beside it. */
export function BrandMark() {
  return (
    <svg className="mark" viewBox={mark.viewBox} fill="none" stroke="currentColor" aria-hidden="true">
      <path d={mark.ring.d} strokeWidth={mark.ring.strokeWidth} strokeLinecap="round" />
      <circle {...mark.dot} fill="currentColor" stroke="none" />
    </svg>
  );
}
