import { founder } from '#app/content/about.ts'
import { siteFileUrl } from '#app/content/settings/live.ts'

/** The founder's picture. Until there is one: the initials, with scattered grains that settle into rows behind them. */
export function Portrait() {
  if (founder.picture) {
    return (
      <img
        src={siteFileUrl(founder.picture)}
        alt={founder.name}
        width="800"
        height="520"
        className="aspect-[20/13] w-full bg-sunken object-cover"
      />
    )
  }
  const initials = founder.name
    .split(' ')
    .map(([initial]) => initial)
    .join('')
  return (
    <svg viewBox="0 0 400 260" className="w-full bg-sunken" aria-hidden="true">
      {grains.map(({ x, y, isKept }) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={isKept ? 14 : 5} height="5" rx="2" className={isKept ? 'fill-grain' : 'fill-line'} />
      ))}
      <text x="28" y="222" className="fill-ink font-display font-semibold tracking-tight" fontSize="120">
        {initials}
      </text>
    </svg>
  )
}

/** Left: scattered and grey. Right: in rows, and colored. */
const grains = Array.from({ length: 15 * 9 }, (_, index) => {
  const [column, row] = [index % 15, Math.floor(index / 15)]
  const isKept = column > 9
  const stray = isKept ? 0 : ((index * 37) % 17) - 8
  return { x: 24 + column * 24 + stray, y: 28 + row * 24 + (isKept ? 0 : ((index * 53) % 19) - 9), isKept }
})
