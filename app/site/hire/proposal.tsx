import { proposal } from '#app/content/hire.ts'

/** An example of a proposal. The text beside it says the same, so screen readers skip it. */
export function HireProposal() {
  const [label, price] = proposal.total
  return (
    <div aria-hidden="true" className="overflow-hidden rounded-card border border-line bg-surface font-mono text-fine lg:col-span-4">
      <p className="flex justify-between gap-4 border-b border-line bg-sunken px-5 py-2.5 text-muted">
        <span>{proposal.title}</span>
        <span className="text-leaf">{proposal.sent}</span>
      </p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 px-5">
        {proposal.fields.map(([name, value]) => (
          <p key={name} className="col-span-2 grid grid-cols-subgrid border-b border-line py-3">
            <span className="text-muted">{name}</span>
            <span>{value}</span>
          </p>
        ))}
        <p className="col-span-2 grid grid-cols-subgrid py-4 text-small font-semibold">
          <span>{label}</span>
          <span className="text-grain-text">{price}</span>
        </p>
      </div>
    </div>
  )
}
