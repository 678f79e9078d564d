import { IconHelpCircle } from '@tabler/icons-react';
import { lazy } from 'react';
import { LazyMenu, type MenuButtonProps } from '../../../patterns/lazy-menu/lazy-menu.tsx';

type HelpBubbleProps = { className: string | undefined; labelClassName: string | undefined; onNavigate: () => void };

const load = () => import('./help-bubble-items.tsx');
const HelpBubbleItems = lazy(async () => ({ default: (await load()).HelpBubbleItems }));

export function HelpBubble({ className, labelClassName, onNavigate }: HelpBubbleProps) {
  const renderButton = (props: MenuButtonProps) => (
    <button {...props} type="button" className={className} title="Help">
      <IconHelpCircle size={18} stroke={1.8} aria-hidden="true" />
      <span className={labelClassName}>Help</span>
    </button>
  );
  return (
    <LazyMenu load={load} renderButton={renderButton}>
      {(target) => <HelpBubbleItems onNavigate={onNavigate} target={target} />}
    </LazyMenu>
  );
}
