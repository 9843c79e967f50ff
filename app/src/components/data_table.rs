//! `DataTable`: rows under hairlines; where there is little room each row becomes a record.

use leptos::prelude::*;

/// A column and what it is called.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// The name of the row: the first column.
    Title(&'static str),
    /// Stands beside the title in a record.
    Status(&'static str),
    /// Anything else; in a record its name stands before it.
    Text(&'static str),
    /// The same, never broken.
    Time(&'static str),
    /// A figure, or how many of how many.
    Number(&'static str),
    /// What can be done with the row.
    Actions(&'static str),
    /// A picture as wide as there is room; in a record it has a line of its own.
    Strip(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Title(name)
            | Self::Status(name)
            | Self::Text(name)
            | Self::Time(name)
            | Self::Number(name)
            | Self::Actions(name)
            | Self::Strip(name) => name,
        }
    }

    const fn kind(self) -> Option<&'static str> {
        match self {
            Self::Title(_) => Some("title"),
            Self::Status(_) => Some("status"),
            Self::Text(_) => None,
            Self::Time(_) => Some("time"),
            Self::Number(_) => Some("number"),
            Self::Actions(_) => Some("actions"),
            Self::Strip(_) => Some("strip"),
        }
    }
}

/// The table. The roles keep it one for assistive technology when its rows are shown as records.
#[component]
pub(crate) fn DataTable(
    /// What the table lists.
    caption: &'static str,
    /// The columns.
    columns: &'static [Column],
    /// The cells of each row, one a column.
    rows: Vec<Vec<AnyView>>,
) -> impl IntoView {
    let heads = columns
        .iter()
        .map(|column| {
            view! {
                <th role="columnheader" scope="col" data-kind=column.kind()>
                    {column.name()}
                </th>
            }
        })
        .collect_view();
    let rows = rows
        .into_iter()
        .map(|cells| view! { <tr role="row">{columns.iter().zip(cells).map(cell).collect_view()}</tr> })
        .collect_view();

    view! {
        <div class="data-table">
            <table role="table">
                <caption>{caption}</caption>
                <thead role="rowgroup">
                    <tr role="row">{heads}</tr>
                </thead>
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn cell((column, content): (&Column, AnyView)) -> AnyView {
    match column {
        Column::Title(_) => view! {
            <th role="rowheader" scope="row" data-kind=column.kind()>
                {content}
            </th>
        }
        .into_any(),
        Column::Status(_) | Column::Actions(_) | Column::Strip(_) => without_name(column, content),
        Column::Text(name) | Column::Time(name) | Column::Number(name) => with_name(column, name, content),
    }
}

fn without_name(column: &Column, content: AnyView) -> AnyView {
    view! {
        <td role="cell" data-kind=column.kind()>
            {content}
        </td>
    }
    .into_any()
}

fn with_name(column: &Column, name: &'static str, content: AnyView) -> AnyView {
    view! {
        <td role="cell" data-kind=column.kind() data-label=name>
            {content}
        </td>
    }
    .into_any()
}
