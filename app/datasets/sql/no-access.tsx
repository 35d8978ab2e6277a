import type { ProductAccess } from '#app/datasets/catalog/product.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'

/** Tells users without access how to get it. */
export function NoAccess({ slug, access }: { slug: string; access: ProductAccess }) {
  if (access === 'confirm') {
    return (
      <Empty title="Please confirm your email address first" action={<ButtonLink to="/account">Go to your account</ButtonLink>}>
        <p>Follow the link in the email we sent. Then you can query this dataset.</p>
      </Empty>
    )
  }
  return (
    <Empty title="This is a paid dataset" action={<ButtonLink to={`${MARKETPLACE}/${slug}#request-access`}>Request access</ButtonLink>}>
      <p>Request access, and we will email you an invoice. Then you can download its files, read it through the API, and query it here.</p>
    </Empty>
  )
}
