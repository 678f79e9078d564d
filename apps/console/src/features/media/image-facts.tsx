import type { Image } from '@opensocial/contract';
import { fileSize } from '../../patterns/file-size/file-size.ts';
import classes from './image-facts.module.css';

type ImageFactsProps = { image: Image };

const created = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

export function ImageFacts({ image }: ImageFactsProps) {
  const facts = [
    ['File name', image.file_name],
    ['Created', created.format(new Date(image.created))],
    ['Size', fileSize(image.size * 1024)],
    ['Dimensions', `${image.width} × ${image.height}`],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
