import { mark } from '@opensocial/look/mark';

type BrandMarkProps = { size?: number; className?: string | undefined };

/** The logo in the text colour. It is decorative, because the name is beside it. */
export function BrandMark({ size = 24, className }: BrandMarkProps) {
  return (
    <svg className={className} width={size} height={size} viewBox={mark.viewBox} fill="none" aria-hidden="true">
      <path d={mark.ring.d} stroke="currentColor" strokeWidth={mark.ring.strokeWidth} strokeLinecap="round" />
      <circle {...mark.dot} fill="currentColor" />
    </svg>
  );
}
