import { mailUrl, webUrl } from '../links.ts';
import { type Look, networkNameOf } from '../look.ts';
import { BrandMark } from './brand-mark.tsx';

type PageFooterProps = { look: Look };

export function PageFooter({ look }: PageFooterProps) {
  const termsUrl = webUrl(look.termsUrl);
  const privacyUrl = webUrl(look.privacyUrl);
  return (
    <footer className="page-footer">
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
