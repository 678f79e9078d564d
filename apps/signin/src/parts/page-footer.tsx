import { mailUrl, webUrl } from '../links.ts';
import { type FooterLook, type Look, networkNameOf } from '../look.ts';
import { BrandMark } from './brand-mark.tsx';

type PageFooterProps = { look: Look };

export function PageFooter({ look }: PageFooterProps) {
  const termsUrl = webUrl(look.termsUrl);
  const privacyUrl = webUrl(look.privacyUrl);
  return (
    <footer className="page-footer">
      {look.footer && <OwnFooter footer={look.footer} network={networkNameOf(look)} />}
      <span className="page-footer-name">
        <BrandMark />
        <bdi>{networkNameOf(look)}</bdi>
      </span>
      {termsUrl && <a href={termsUrl}>Terms of use</a>}
      {privacyUrl && <a href={privacyUrl}>Privacy policy</a>}
      {look.helpEmail && <a href={mailUrl(look.helpEmail)}>Need Help?</a>}
    </footer>
  );
}

type OwnFooterProps = { footer: FooterLook; network: string };

function OwnFooter({ footer, network }: OwnFooterProps) {
  if ('html' in footer)
    return (
      <div
        // Its colours were chosen on white, and must be readable in a dark theme too.
        className={footer.hasColour ? 'own-footer own-footer-paper' : 'own-footer'}
        dangerouslySetInnerHTML={{ __html: footer.html }}
      />
    );
  const logo = <img className="footer-logo" src={webUrl(footer.logoUrl)} alt={network} />;
  const link = webUrl(footer.link);
  return <div className="own-footer">{link ? <a href={link}>{logo}</a> : logo}</div>;
}
