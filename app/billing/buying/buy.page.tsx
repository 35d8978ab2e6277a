import { data, href, Link, redirect } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { mayPayByInvoice } from '#app/billing/payments/by-invoice.server.ts'
import { payPath, startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/buy.page.ts'
import { buyBody } from './buy-body.ts'
import { buyDataset } from './buy.server.ts'
import { BuyForm } from './buy-form.tsx'
import { describePurchase, findHindrance, findSold } from './buy-view.server.ts'

export const handle = { access: 'workspace.enter', isDeal: true } satisfies Handle

const limit: Limit = { name: 'orders', points: 60, seconds: 3600 }

export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export const meta = ({ loaderData }: Route.MetaArgs) => pageMeta({ title: loaderData ? `Buy ${loaderData.name}` : 'Buy', index: false })

export async function loader({ request, params: { slug }, context }: Route.LoaderArgs) {
  const person = await allowMember(requestContextOf(context), 'workspace.enter')
  const sold = await findSold(slug)
  if (sold.product.slug !== slug) throw redirect(href('/data-marketplace/:slug/buy', { slug: sold.product.slug }), 301)
  const { searchParams } = new URL(request.url)
  const hindrance = await findHindrance(sold, person)
  if (hindrance) return { name: sold.product.name, hindrance }
  const chosen = { offer: searchParams.get('offer') ?? undefined, code: '' }
  return { name: sold.product.name, form: await describePurchase(sold, person, chosen) }
}

export async function action({ request, params: { slug }, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  const fields = await readForm(request)
  const person = await allowMember(requestContext, 'workspace.enter', 'buy')
  const sold = await findSold(slug)
  const { intent, expected, isBusiness, buysAs, acceptsLicence, acceptsSupply, ...texts } = fields
  const kind = { isBusiness: isBusiness === 'on' || buysAs === 'business', isConsumer: buysAs === 'consumer' }
  const total = expected ? { expected: Number(expected) } : {}
  const read = buyBody.safeParse({
    ...texts,
    ...total,
    ...kind,
    acceptsLicence: acceptsLicence === 'on',
    acceptsSupply: acceptsSupply === 'on',
  })
  const again = async (errors: Record<string, string>, failure: string | undefined, status: number) => {
    const { offer, code, countryCode, vatNumber } = read.success ? read.data : texts
    const form = await describePurchase(sold, person, { offer, code, countryCode, vatNumber, ...kind })
    return data({ form, values: fields, errors, failure }, status)
  }
  if (intent === 'quote') return again({}, undefined, 200)
  if (!read.success) return again(firstErrors(read.error), undefined, 422)
  try {
    await consume(limit, person.id)
    if (await findHindrance(sold, person)) return redirect(href('/data-marketplace/:slug/buy', { slug }), 303)
    const order = await buyDataset(sold, person, read.data, requestContext.address)
    const isShown = read.data.expected !== undefined
    // A total that is new to the buyer is shown first, and so is the choice to pay later.
    const isDirect = order.state === 'open' && isShown && !(await mayPayByInvoice(order))
    return redirect(isDirect ? await startCheckoutFor(order.id) : payPath(order.reference), 303)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    if (error.status === 404) stop('notFound', error.data)
    const { errors = {} } = error.extra
    return again(errors, Object.keys(errors).length > 0 ? undefined : error.data, error.status)
  }
}

export default function BuyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, hindrance } = loaderData
  const form = actionData?.form ?? loaderData.form
  return (
    <Page kind="text" title={`Buy ${name}`}>
      {hindrance && (
        <div className="grid justify-items-start gap-6">
          <p role="status">{hindrance.text}</p>
          <ButtonLink to={hindrance.to}>{hindrance.label}</ButtonLink>
        </div>
      )}
      {form && !hindrance && <BuyForm form={form} values={actionData?.values} errors={actionData?.errors} failure={actionData?.failure} />}
      {form && (
        <p className="mt-8 text-small text-muted">
          <Link to={href('/data-marketplace/:slug', { slug: form.slug })} className="link">
            Back to the dataset
          </Link>
        </p>
      )}
    </Page>
  )
}
