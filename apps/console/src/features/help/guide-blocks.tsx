import { Link } from 'react-router';
import type { GuideBlock, GuideSpan } from './guide.ts';
import classes from './help-page.module.css';

type GuideBlocksProps = { blocks: readonly GuideBlock[] };

// The guide never changes while it is shown, so that the index of a part is its key.
/* oxlint-disable react/no-array-index-key -- as said above */
export function GuideBlocks({ blocks }: GuideBlocksProps) {
  return blocks.map((block, index) => <Block key={index} block={block} />);
}

function Block({ block }: { block: GuideBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = block.level === 2 ? 'h2' : 'h3';
      return (
        <Heading id={block.id} tabIndex={-1}>
          {block.text}
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      );
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((spans, index) => (
            <li key={index}>
              <Spans spans={spans} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return (
        <table className={classes.table}>
          <thead>
            <tr>
              {block.head.map((spans, index) => (
                <th key={index} scope="col">
                  <Spans spans={spans} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((spans, column) => (
                  <td key={column}>
                    <Spans spans={spans} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

function Spans({ spans }: { spans: readonly GuideSpan[] }) {
  return spans.map((span, index) => <Span key={index} span={span} />);
}
/* oxlint-enable */

function Span({ span }: { span: GuideSpan }) {
  switch (span.kind) {
    case 'name':
      return <strong>{span.text}</strong>;
    case 'code':
      return <code>{span.text}</code>;
    case 'link':
      return span.href.startsWith('#') ? (
        <Link to={{ hash: span.href }}>{span.text}</Link>
      ) : (
        <a href={span.href} target="_blank" rel="noopener noreferrer">
          {span.text}
        </a>
      );
    case 'text':
      return span.text;
  }
}
