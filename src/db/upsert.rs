//! Rows that are added to when they are there already.

use sea_orm::sea_query::{Alias, Expr, ExprTrait, IntoIden, SimpleExpr};

/// What stands there and what was to be inserted.
pub(crate) fn sum_with_excluded<E, C>((table, column): (E, C)) -> SimpleExpr
where
    E: IntoIden,
    C: IntoIden + Copy,
{
    Expr::col((table, column)).add(Expr::col((Alias::new("excluded"), column)))
}
