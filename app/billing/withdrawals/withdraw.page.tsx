import { data } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { findAuthState } from '#app/account/session/current-user.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { nameOf } from '#app/auth/users/user-name.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { WITHDRAWAL, withdrawalWords as words } from '#app/content/withdrawal.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/withdraw.page.ts'
import { withdrawalBody } from './withdrawal.ts'
import { describeContract, findConsumerOrder, withdraw, type Contract } from './withdrawal.server.ts'

/** It is reachable without an account, for as long as there are contracts. */
export const handle = { access: 'public', isDeal: true } satisfies Handle

export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export const meta = () => pageMeta({ title: words.title, index: false })

/** Guesses of a visitor, and at an order. */
const perVisitor: Limit = { name: 'withdraw', points: 30, seconds: 3600 }
const perOrder: Limit = { name: 'withdraw-order', points: 10, seconds: 3600 }

type Values = Readonly<Record<'reference' | 'email' | 'name', string>>

export async function loader({ request, context }: Route.LoaderArgs) {
  const state = await findAuthState(requestContextOf(context))
  const user = state.state === 'signedIn' ? state.currentUser : undefined
  const account = user && (await currentAccounts().select('userMetadata').where('id', '=', user.id).executeTakeFirst())
  const values: Values = {
    reference: new URL(request.url).searchParams.get('order')?.slice(0, 20) ?? '',
    email: user?.email ?? '',
    name: (account && nameOf(account.userMetadata)) ?? '',
  }
  return { values }
}

type Shown = { values: Values; errors?: Record<string, string>; contract?: Contract }

export async function action({ request, context }: Route.ActionArgs) {
  const { intent, reference = '', email = '', name = '' } = await readForm(request)
  const values: Values = { reference, email, name }
  const refused = (errors: Record<string, string>, status = 422) => data({ values, errors } satisfies Shown, status)
  if (intent === 'change') return data({ values } satisfies Shown)
  const read = withdrawalBody.safeParse(values)
  if (!read.success) return refused(firstErrors(read.error))
  await consume(perVisitor, visitorKey(requestContextOf(context).address))
  const order = await findConsumerOrder(read.data.reference, read.data.email)
  if (!order) {
    await consume(perOrder, read.data.reference.toUpperCase())
    return refused({ reference: words.find.unknown })
  }
  if (intent === 'confirm') await withdraw(order.id, read.data)
  return data({ values: read.data, contract: await describeContract(order) } satisfies Shown)
}

export default function WithdrawPage({ loaderData, actionData }: Route.ComponentProps) {
  const { values, errors = none, contract }: Shown = actionData ?? loaderData
  if (!contract) return <Find values={values} errors={errors} />
  return contract.received ? <Done contract={contract} /> : <Confirm values={values} contract={contract} />
}

const none: Record<string, string> = {}

function Find({ values, errors }: { values: Values; errors: Record<string, string> }) {
  const { find } = words
  return (
    <Page kind="text" title={words.title} intro={words.intro}>
      <form method="post" action={WITHDRAWAL} noValidate className="grid gap-5">
        <ErrorSummary errors={errors} />
        <Field label={find.reference} name="reference" hint={find.referenceHint} error={errors['reference']}>
          <Input defaultValue={values.reference} autoComplete="off" />
        </Field>
        <Field label={find.email} name="email" hint={find.emailHint} error={errors['email']}>
          <Input type="email" defaultValue={values.email} autoComplete="email" />
        </Field>
        <Field label={find.name} name="name" error={errors['name']}>
          <Input defaultValue={values.name} autoComplete="name" />
        </Field>
        <Button name="intent" value="find" className="justify-self-start">
          {find.submit}
        </Button>
      </form>
    </Page>
  )
}

function Confirm({ values, contract }: { values: Values; contract: Contract }) {
  const { confirm } = words
  return (
    <Page kind="text" title={confirm.title}>
      <form method="post" action={WITHDRAWAL} className="grid gap-6">
        <Facts contract={contract} />
        <blockquote className="border-l-2 border-line pl-4 wrap-anywhere">
          {words.statement(values.name, contract.title, contract.reference)}
        </blockquote>
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="flex flex-wrap gap-3">
          <Button name="intent" value="confirm">
            {confirm.submit}
          </Button>
          <Button look="quiet" name="intent" value="change">
            {confirm.back}
          </Button>
        </div>
      </form>
    </Page>
  )
}

function Done({ contract }: { contract: Contract }) {
  return (
    <Page kind="text" title={words.done.title}>
      <div role="status" className="grid gap-6">
        <p>{words.done.text}</p>
        <Facts contract={contract} />
        <p className="text-muted">{contract.next}</p>
      </div>
    </Page>
  )
}

function Facts({ contract: { reference, title, total, orderedAt, received } }: { contract: Contract }) {
  const facts = [
    ['Contract', title],
    ['Order', reference],
    ['Ordered', orderedAt],
    ['Total', total],
    ['Withdrawal received', received],
  ] as const
  return (
    <Card as="dl" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ),
      )}
    </Card>
  )
}
