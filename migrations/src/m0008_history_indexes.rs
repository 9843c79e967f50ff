//! What the history of an account is searched and counted by, in one index, so that neither reads the rows themselves.

use sea_orm_migration::{
    prelude::*,
    schema::string_len,
    sea_orm::sea_query::{BinOper, Func, SimpleExpr},
};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

/// Before, the index `evidence_history` had the first two columns alone.
#[derive(DeriveIden)]
enum Evidence {
    Table,
    Id,
    AccountId,
    VatNumber,
    Registry,
    Outcome,
    Name,
    ConsultationNumber,
    ReceivedAt,
    CallerId,
    /// Number, consultation number and name in lower case, a line each; of long ones the beginning, because PostgreSQL
    /// takes no more than 2,700 bytes into an index.
    SearchText,
}

const MOST_CHARACTERS: u16 = 400;
const INDEX: &str = "evidence_history";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = string_len(Evidence::SearchText, MOST_CHARACTERS.into()).default("").take();
        manager.alter_table(Table::alter().table(Evidence::Table).add_column(&mut column).take()).await?;
        manager.execute(describe_old_rows()).await?;
        manager.drop_index(Index::drop().name(INDEX).table(Evidence::Table).to_owned()).await?;
        manager
            .create_index(
                Index::create()
                    .name(INDEX)
                    .table(Evidence::Table)
                    .col(Evidence::AccountId)
                    .col(Evidence::ReceivedAt)
                    .col(Evidence::Id)
                    .col(Evidence::Outcome)
                    .col(Evidence::Registry)
                    .col(Evidence::CallerId)
                    .col(Evidence::SearchText)
                    .take(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name(INDEX).table(Evidence::Table).to_owned()).await?;
        manager
            .create_index(
                Index::create()
                    .name(INDEX)
                    .table(Evidence::Table)
                    .col(Evidence::AccountId)
                    .col(Evidence::ReceivedAt)
                    .take(),
            )
            .await?;
        manager
            .alter_table(Table::alter().table(Evidence::Table).drop_column(Evidence::SearchText).take())
            .await
    }
}

/// SQLite lowers the letters A to Z alone; new rows come lowered from the server, in every script.
fn describe_old_rows() -> UpdateStatement {
    let joined = |one: SimpleExpr, other: SimpleExpr| one.binary(BinOper::Custom("||"), other);
    let or_nothing = |column| SimpleExpr::from(Func::coalesce([Expr::col(column), Expr::value("")]));
    let text = [
        Expr::value("\n"),
        or_nothing(Evidence::ConsultationNumber),
        Expr::value("\n"),
        or_nothing(Evidence::Name),
    ]
    .into_iter()
    .fold(Expr::col(Evidence::VatNumber), joined);
    let beginning =
        Func::cust("substr").args([text, Expr::value(1), Expr::value(i32::from(MOST_CHARACTERS))]);
    Query::update().table(Evidence::Table).value(Evidence::SearchText, Func::lower(beginning)).take()
}
