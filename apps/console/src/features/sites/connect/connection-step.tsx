import '../../../patterns/form/fields.css';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { toConnect } from '../../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { findRecipe, type Recipe } from '../recipes/recipes.ts';
import { useConnect } from './connect-context.ts';
import { OidcConnection, SamlConnection, SamlForm } from './own-connection.tsx';
import { RecipeConnection } from './recipe-connection.tsx';
import { oidcValuesOf, samlValuesOf } from './registration.ts';

/** The second step: the addresses of the application. It ends with the registration of the site. */
export function ConnectionStep() {
  const network = useAdminNetwork();
  const navigate = useNavigate();
  const { draft } = useConnect();
  const recipe = findRecipe(draft.recipe);
  if (draft.name.trim() === '' || draft.recipe === '') return <Navigate to={toConnect(network.name)} replace />;
  if (recipe) return <KnownConnection key={recipe.id} recipe={recipe} />;
  if (draft.recipe === 'saml') return <SamlConnection />;
  return <OidcConnection onBack={() => void navigate(toConnect(network.name))} />;
}

type KnownConnectionProps = { recipe: Recipe };

/** A recipe asks for one address. Its parameters can be changed in the form of its protocol. */
function KnownConnection({ recipe }: KnownConnectionProps) {
  const [base, setBase] = useState<string>();
  if (base === undefined) return <RecipeConnection recipe={recipe} onDetails={setBase} />;
  const back = () => setBase(undefined);
  return recipe.protocol === 'oidc' ? (
    <OidcConnection initial={oidcValuesOf(recipe.application, base)} base={base} onBack={back} />
  ) : (
    <SamlForm initial={samlValuesOf(recipe.application, base)} onBack={back} />
  );
}
