import type { Handle } from '#app/access.server.ts'
import { data, Link } from 'react-router'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { headOf } from '#app/content/seo.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { CodeTabs, DocsFrame, DocsText, withDataset } from './docs-frame.tsx'
import { type DocsChoice, type DocsEndpoint, findDocsChoice, listDocsEndpoints, renderStart } from './reference.server.ts'
import { referenceWords } from './reference-words.ts'
import type { Route } from './+types/developers.page.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const person = await findMember(requestContextOf(context))
  const found = await findDocsChoice(new URL(request.url).searchParams.get('dataset') ?? undefined, person)
  const choice = found ?? (await findDocsChoice(undefined, person))
  if (!choice) return null
  const [start, endpoints] = await Promise.all([renderStart(choice), listDocsEndpoints(choice, person)])
  // An unknown dataset gives a 404 that is not cached: strangers could invent any number of them.
  return data({ choice, start, endpoints }, found ? 200 : 404)
}

export const handle = { access: 'public', hydration: 'islands', cache: { tags: ['datasets'], query: ['dataset'] } } satisfies Handle

export const meta = () => headOf('/developers')

export default function DevelopersPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return null
  const { choice, start, endpoints } = loaderData
  return (
    <DocsFrame title={referenceWords.title} intro={referenceWords.introduction} choice={choice}>
      <div className="grid grid-cols-1 gap-6">
        <DocsText html={start.steps} />
        <CodeTabs id="first" code={start.first} />
        <DocsText html={start.care} />
        <EndpointIndex choice={choice} endpoints={endpoints} />
      </div>
    </DocsFrame>
  )
}

function EndpointIndex({ choice, endpoints }: { choice: DocsChoice; endpoints: DocsEndpoint[] }) {
  const { title, caption, endpoint, returns, page } = referenceWords.index
  return (
    <section aria-labelledby="endpoints" className="grid grid-cols-1 gap-4">
      <h2 id="endpoints" className="text-h3">
        {title}
      </h2>
      <Table caption={caption}>
        <thead>
          <tr>
            <HeadCell>{endpoint}</HeadCell>
            <HeadCell className="max-sm:hidden">{returns}</HeadCell>
            <HeadCell className="max-md:hidden">{page}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {endpoints.map(({ id, method, path, title: summary, pageSize }) => (
            <TableRow key={id}>
              <Cell className="font-mono text-fine wrap-anywhere">
                <Link to={`${withDataset('/developers/endpoints', choice)}#${id}`} className="link">
                  {method} {path}
                </Link>
                <span className="mt-1 block font-sans text-muted sm:hidden">{summary}</span>
              </Cell>
              <Cell className="text-small max-sm:hidden">{summary}</Cell>
              <Cell className="max-w-64 text-small max-md:hidden">
                <DocsText html={pageSize} className="text-small" />
              </Cell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  )
}
