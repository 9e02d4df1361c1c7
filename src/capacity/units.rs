//! Bytes in, capacity units out: the roundings of DynamoDB (facts 3.2–3.5).
//! The estimates of a model and the predictions for real items are both made of
//! these.

/// Bytes of a page of a query or scan: 1 MB (L26).
pub const PAGE: f64 = 1_048_576.0;
/// Bytes that one read unit reads, strongly consistent (facts 3.2).
pub const READ_UNIT: f64 = 4_096.0;
/// Bytes that one write unit writes (facts 3.2).
pub const WRITE_UNIT: f64 = 1_024.0;

/// How consistent a read is, which is what it costs (Q8, facts 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consistency {
    Eventual,
    Strong,
    Transactional,
}

impl Consistency {
    /// Read units of 4 KB: half, one, two.
    pub fn factor(self) -> f64 {
        match self {
            Consistency::Eventual => 0.5,
            Consistency::Strong => 1.0,
            Consistency::Transactional => 2.0,
        }
    }
}

/// Read units of one item, or of one page of so many bytes: rounded up to 4 KB,
/// at least one, times the consistency (Q7, Q8, facts 3.3). Nothing found costs
/// as much as one item.
pub fn read(bytes: f64, consistency: Consistency) -> f64 {
    started(bytes, READ_UNIT).max(1.0) * consistency.factor()
}

/// How many units so many bytes begin. A sum of shares that should be a whole
/// number of units may lie a trace above it.
fn started(bytes: f64, unit: f64) -> f64 {
    (bytes / unit - 1e-9).ceil()
}

/// Read units of so many bytes by query or scan: page by page of at most 1 MB,
/// each summed and then rounded up; no empty page at the end (Q7, facts 3.3).
pub fn read_pages(bytes: f64, consistency: Consistency) -> f64 {
    let full = (bytes / PAGE).floor();
    let rest = bytes - full * PAGE;
    if full == 0.0 || rest > 0.0 {
        full * read(PAGE, consistency) + read(rest, consistency)
    } else {
        full * read(PAGE, consistency)
    }
}

/// Write units of an item or index entry: rounded up to 1 KB, at least one
/// (facts 3.4).
pub fn write(bytes: f64) -> f64 {
    started(bytes, WRITE_UNIT).max(1.0)
}

/// Write units of the table's part of a write: the larger of the item before
/// and after, one where there is neither (facts 3.4).
pub fn table_write(before: Option<f64>, after: Option<f64>) -> f64 {
    write(before.unwrap_or(0.0).max(after.unwrap_or(0.0)))
}

/// What a write changes of an item's entry in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// An attribute of the index's key: the entry moves.
    Key,
    /// Another attribute that the index projects.
    Image,
    /// Nothing that the index holds.
    Nothing,
}

/// Write units of one index for one write, from the bytes of the item's entry
/// before and after; `None` where the item is not in the index. `change` counts
/// where it is there before and after (facts 3.5).
pub fn index_write(before: Option<f64>, after: Option<f64>, change: Change) -> f64 {
    match (before, after) {
        (None, None) => 0.0,
        (None, Some(bytes)) | (Some(bytes), None) => write(bytes),
        (Some(before), Some(after)) => match change {
            Change::Key => write(before) + write(after),
            Change::Image => write(before).max(write(after)),
            Change::Nothing => 0.0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KB: f64 = 1_024.0;

    #[test]
    fn reads_round_up_to_four_kilobytes() {
        use Consistency::*;
        // Facts 3.3: 40.8 KB are 44 KB, 11 strong, 5.5 eventual; nothing is one.
        assert_eq!(read_pages(40.8 * KB, Strong), 11.0);
        assert_eq!(read_pages(40.8 * KB, Eventual), 5.5);
        assert_eq!(read(0.0, Eventual), 0.5);
        assert_eq!(read(4.0 * KB + 1.0, Transactional), 4.0);
        // A batch rounds each item alone: 1.5 KB and 6.5 KB are 3, strong.
        assert_eq!(read(1.5 * KB, Strong) + read(6.5 * KB, Strong), 3.0);
        // Eight entries of 2,000 bytes in an index.
        assert_eq!(read_pages(8.0 * 2_000.0, Eventual), 2.0);
        // An LSI of four entries of 200 bytes, each fetched from a table of 300-byte items.
        assert_eq!(read_pages(4.0 * 200.0, Strong) + 4.0 * read(300.0, Strong), 5.0);
    }

    #[test]
    fn full_pages_are_calls_of_their_own_and_no_empty_one_follows() {
        assert_eq!(read_pages(PAGE, Consistency::Strong), 256.0);
        assert_eq!(read_pages(PAGE, Consistency::Eventual), 128.0);
        assert_eq!(read_pages(PAGE + 1.0, Consistency::Strong), 257.0);
    }

    #[test]
    fn writes_round_up_to_a_kilobyte() {
        // A batch of 500 B and 3.5 KB (facts 3.4); a transaction of three of 500 B.
        assert_eq!(write(500.0) + write(3.5 * KB), 5.0);
        assert_eq!(3.0 * 2.0 * write(500.0), 6.0);
        assert_eq!(table_write(Some(3.0 * KB), Some(10.0)), 3.0);
        assert_eq!(table_write(None, None), 1.0);
    }

    #[test]
    fn an_index_pays_for_what_changes_in_it() {
        assert_eq!(index_write(None, None, Change::Key), 0.0);
        assert_eq!(index_write(None, Some(1_500.0), Change::Key), 2.0);
        assert_eq!(index_write(Some(10.0), None, Change::Key), 1.0);
        assert_eq!(index_write(Some(10.0), Some(10.0), Change::Nothing), 0.0);
        assert_eq!(index_write(Some(3_000.0), Some(10.0), Change::Image), 3.0);
        assert_eq!(index_write(Some(3_000.0), Some(10.0), Change::Key), 4.0);
    }
}
