// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What the minting service needs of a ticket contract
/// @notice A contract that answers {IERC165-supportsInterface} with true for this interface's id keeps the
/// promises below; the service mints on no other.
interface IBoxofficeTickets {
    /// @notice A paid order, ready to be minted.
    /// @param orderKey The order's identity on this contract. Its last 16 bits are ignored.
    /// @param to Who receives all its tickets.
    /// @param quantity How many tickets it has, from 1 to `MAX_ORDER_QUANTITY`.
    struct Order {
        bytes32 orderKey;
        address to;
        uint256 quantity;
    }

    /// @notice The quantity of an order is zero, or above `MAX_ORDER_QUANTITY`.
    error InvalidQuantity(uint256 quantity);

    /// @notice A range of token ids ends before it begins.
    error InvalidTokenRange(uint256 fromTokenId, uint256 toTokenId);

    /// @notice The largest quantity one order may have.
    function MAX_ORDER_QUANTITY() external view returns (uint256);

    /// @notice Mints the tickets of an order, unless it was minted before: then nothing happens, whatever
    /// became of its tickets since, and whatever valid `to` and `quantity` are given this time.
    /// Only for minters. Emits one Transfer from the zero address for each ticket, in order of their ids.
    /// Does not ask a receiving contract whether it can handle tokens.
    /// @param orderKey See {Order}.
    /// @param to See {Order}. The zero address reverts with `ERC721InvalidReceiver`.
    /// @param quantity See {Order}. Out of range it reverts with `InvalidQuantity`.
    function mintOrder(bytes32 orderKey, address to, uint256 quantity) external;

    /// @notice Does what {mintOrder} does for each order in turn, all or none: one that reverts, reverts all.
    /// @param orders The orders. One that was minted before, or stands earlier in the list, is skipped.
    function mintOrders(Order[] calldata orders) external;

    /// @notice Takes back refunded tickets. A burned id never exists again.
    /// Only for burners and admins; works while transfers are refused, too.
    /// @param holder Who is expected to hold them. A ticket that someone else holds, or nobody, is skipped, so
    /// that repeating a call is harmless, and that a ticket sold on meanwhile stays with its new holder.
    /// @param tokenIds The tickets' ids; they may be of different orders.
    function burn(address holder, uint256[] calldata tokenIds) external;

    /// @notice Locks tickets for good, so that nobody buys one that is no longer valid for entry. Its holder keeps
    /// it, and can't transfer it; it can still be burned.
    /// Only for burners and admins. Emits the events of ERC-5192, ERC-6982 and ERC-4906 for each.
    /// @param tokenIds The tickets' ids; they may be of different orders. A ticket that does not exist, or is locked
    /// already, is skipped, so that repeating a call is harmless.
    function lock(uint256[] calldata tokenIds) external;

    /// @notice Emits the ERC-4906 event that makes marketplaces and wallets read the metadata of these tokens
    /// again, because what their URIs return has changed. Only for holders of the metadata role and admins.
    /// @param fromTokenId The first id.
    /// @param toTokenId The last id. Before `fromTokenId` it reverts with `InvalidTokenRange`.
    function refreshMetadata(uint256 fromTokenId, uint256 toTokenId) external;

    /// @notice How many tickets were minted for an order: 0 while it is not minted, its quantity for ever after,
    /// also when its tickets were transferred or burned.
    /// @param orderKey See {Order}.
    function mintedQuantity(bytes32 orderKey) external view returns (uint256);

    /// @notice The id of an order's first ticket; the others follow, one by one. Known before it is minted.
    /// @param orderKey See {Order}.
    function firstTokenId(bytes32 orderKey) external pure returns (uint256);
}
