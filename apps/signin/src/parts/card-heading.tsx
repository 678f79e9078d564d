import type { ReactNode } from 'react';
import { webUrl } from '../links.ts';
import { type Look, networkNameOf } from '../look.ts';
import { BrandPlate, SitePlate } from './plate.tsx';

type CardHeadingProps = { plate?: ReactNode; children: ReactNode };

export function CardHeading({ plate = <BrandPlate />, children }: CardHeadingProps) {
  return (
    <div className="card-heading">
      {plate}
      <h1>{children}</h1>
    </div>
  );
}

type StepHeadingProps = { look: Look; children: ReactNode };

/** The heading of a step, beside the plate of the site. */
export function StepHeading({ look, children }: StepHeadingProps) {
  return (
    <CardHeading plate={look.site ? <SitePlate site={look.site} /> : <BrandPlate />}>
      <span className="lead">
        <bdi>{look.site?.name ?? networkNameOf(look)}</bdi>
      </span>
      {children}
    </CardHeading>
  );
}

const longName = 32;

type SignInHeadingProps = { look: Look };

/** The logo is above the heading; without a site it replaces the plate of the brand. */
export function SignInHeading({ look }: SignInHeadingProps) {
  const { network, site } = look;
  const logoUrl = webUrl(site?.logoUrl) ?? webUrl(network.logoUrl);
  const name = site?.name ?? networkNameOf(look);
  const plate = site ? <SitePlate site={site} /> : logoUrl ? null : <BrandPlate />;
  return (
    <>
      {logoUrl && <img className="logo" src={logoUrl} alt={site?.logoUrl ? site.name : networkNameOf(look)} />}
      <CardHeading plate={plate}>
        <span className="lead">Sign in to </span>
        <bdi className={name.length > longName ? 'name name-long' : 'name'}>{name}</bdi>
      </CardHeading>
    </>
  );
}
