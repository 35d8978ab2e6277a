/** Stands above rules that join a visitor's query to that of their target: without a query there is no `&` at the end. */
export const NGINX_QUERY = `set $joined "&$args";
if ($args = "") { set $joined ""; }
`
