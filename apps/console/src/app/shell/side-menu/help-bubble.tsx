import { IconHelpCircle } from '@tabler/icons-react';
import { lazy } from 'react';
import { LazyMenu } from '../../../patterns/lazy-menu/lazy-menu.tsx';

type HelpBubbleProps = { className: string | undefined; labelClassName: string | undefined; onNavigate: () => void };

const load = () => import('./help-bubble-items.tsx');
const HelpBubbleItems = lazy(async () => ({ default: (await load()).HelpBubbleItems }));

export function HelpBubble({ className, labelClassName, onNavigate }: HelpBubbleProps) {
  const face = (
    <>
      <IconHelpCircle size={18} stroke={1.8} aria-hidden="true" />
      <span className={labelClassName}>Help</span>
    </>
  );
  return (
    <LazyMenu load={load} button={{ className, title: 'Help', children: face }}>
      {(target) => <HelpBubbleItems onNavigate={onNavigate} target={target} />}
    </LazyMenu>
  );
}
