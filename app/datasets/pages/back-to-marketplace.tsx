import { href, Link } from 'react-router'

export function BackToMarketplace() {
  return (
    <Link
      to={href('/data-marketplace')}
      className="link inline-flex min-h-9 items-center text-small font-medium pointer-coarse:min-h-11 print:hidden"
    >
      Data Marketplace
    </Link>
  )
}
