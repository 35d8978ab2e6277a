import type { ProductAccess } from '#app/datasets/product.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { MARKETPLACE } from '#app/datasets/addresses.ts'

/** Who may not have the data reads how they get them. */
export function NoAccess({ slug, access }: { slug: string; access: ProductAccess }) {
  if (access === 'confirm') {
    return (
      <Empty title="Please confirm your email address first" action={<ButtonLink to="/account">Go to your account</ButtonLink>}>
        <p>We have sent you an email with a link. Once you have followed it, you can query this dataset.</p>
      </Empty>
    )
  }
  return (
    <Empty
      title="This dataset has to be paid for"
      action={<ButtonLink to={`${MARKETPLACE}/${slug}#request-access`}>Request access</ButtonLink>}
    >
      <p>Ask us for access, and we will get in touch. Then you can download its files, read it through the API, and query it here.</p>
    </Empty>
  )
}
