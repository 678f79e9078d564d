import { toVideoEmbed } from '@opensocial/contract';
import { fromHtml } from 'hast-util-from-html';
import { describe, expect, test } from 'vitest';
import { xssPayloads } from '../testing/payloads/xss-payloads.ts';
import { cleanFooter, showFooter } from './footer.ts';
import { type Element, eachElement, UnreadableHtml } from './html.ts';

const elementsOf = (html: string): Element[] => {
  const found: Element[] = [];
  eachElement(fromHtml(html, { fragment: true }), (element) => found.push(element));
  return found;
};

const allowed = new Set('p h1 h2 h3 strong b em i u s ul ol li br hr blockquote span a iframe'.split(' '));
const allowedAttributes: Record<string, string[]> = {
  a: ['style', 'href', 'target', 'rel'],
  iframe: ['src', 'title', 'loading', 'allowFullScreen', 'sandbox', 'referrerPolicy'],
};

const values: Record<string, RegExp> = {
  style: /^(?:(?:color|font-size|text-align):[\w#(), ]+;?)+$/,
  href: /^(?:https?:\/\/|mailto:)/,
  src: /^https:\/\/(?:www\.youtube-nocookie\.com\/embed\/[\w-]{11}|player\.vimeo\.com\/video\/\d+)$/,
};

describe('§2.10 a footer', () => {
  test('keeps the markup of the editor', () => {
    const html = [
      '<h1 style="text-align:center">Laboratory</h1>',
      '<p>Read the <a href="https://northlab.org/rules" target="_blank" rel="noopener noreferrer nofollow">rules</a>, ',
      '<strong>please</strong>, <em>all</em> of <u>them</u>.</p>',
      '<ul><li><span style="color:#0f766e;font-size:12px">One</span></li></ul><hr>',
    ].join('');
    expect(cleanFooter(html)).toBe(html);
  });

  test.each(xssPayloads.map((payload) => [payload]))('%j cannot run, load or send anything', (payload) => {
    for (const { tagName, properties } of elementsOf(cleanFooter(`<p>before</p>${payload}`))) {
      expect(allowed, payload).toContain(tagName);
      for (const [name, value] of Object.entries(properties)) {
        expect(allowedAttributes[tagName] ?? ['style']).toContain(name);
        expect(value).toEqual(expect.toSatisfy((given: unknown) => values[name]?.test(String(given)) ?? true));
      }
    }
  });

  test.each(xssPayloads.map((payload) => [payload]))('sanitizing %j again changes nothing', (payload) => {
    const once = cleanFooter(payload);
    expect(cleanFooter(once)).toBe(once);
    expect(showFooter(once).html).toBe(once);
  });

  test('deeply nested elements are refused', () => {
    expect(() => cleanFooter('<span>'.repeat(100_000))).toThrow(UnreadableHtml);
  });

  test('the text of removed elements stays', () => {
    expect(cleanFooter('<div><marquee>Moving <b>words</b></marquee></div>')).toBe('Moving <b>words</b>');
  });

  test('reports its styles and videos for the Content-Security-Policy', () => {
    const shown = showFooter(
      '<p style="color: #112233">x</p><p style="color: #112233">y</p><iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>',
    );
    expect(shown).toMatchObject({ hasVideo: true, hasColour: true });
    expect(shown.styleHashes).toEqual([expect.stringMatching(/^'sha256-[\w+/]{43}='$/)]);
    expect(showFooter('<p>plain</p>')).toMatchObject({ styleHashes: [], hasVideo: false, hasColour: false });
  });
});

describe('§9 video links are converted to embed form', () => {
  test.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://www.youtube.com/watch?list=x&v=dQw4w9WgXcQ&t=4', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://youtu.be/dQw4w9WgXcQ?si=abc', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://www.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871'],
    ['https://player.vimeo.com/video/76979871?h=1', 'https://player.vimeo.com/video/76979871'],
    ['https://evil.example/watch?v=dQw4w9WgXcQ', undefined],
    ['https://www.youtube.com/@channel', undefined],
    ['javascript:alert(1)//youtu.be/dQw4w9WgXcQ', undefined],
    ['not an address', undefined],
  ])('%s', (link, embed) => {
    expect(toVideoEmbed(link)).toBe(embed);
  });
});
