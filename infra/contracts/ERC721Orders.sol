// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {BitMaps} from "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import {IBoxofficeTickets} from "./IBoxofficeTickets.sol";

/// @title ERC-721 tokens that are minted by the order, each order at most once
/// @notice A token's id is its order's key with the last 16 bits replaced by the token's index in the order.
/// The owner is written once per order, at its first id, and looked up from there until a token moves. That
/// record is never erased: it is what makes a second mint of the order impossible.
abstract contract ERC721Orders is IBoxofficeTickets, ERC721 {
    using BitMaps for BitMaps.BitMap;

    /// @inheritdoc IBoxofficeTickets
    /// @dev The ids have room for 65,536. What sets the limit is that an order of this size, at some 1,950 gas a
    /// ticket, must fit well within one transaction (16.7 million gas by EIP-7825).
    uint256 public constant override MAX_ORDER_QUANTITY = 5_000;

    uint256 private constant INDEX_MASK = 0xffff;

    /// @dev How many tickets of an order have their burned bit inside the order's head.
    uint256 private constant INLINE_BITS = 79;

    /// @dev One storage slot. A quantity of zero means that the order was not minted. Bit n of `burned` is set when
    /// the ticket of index n is burned, so that refunding the usual order writes no new slot. The last bit, 79, is
    /// set when a ticket of a higher index is: only then do lookups read `_burnedBeyond`.
    struct Head {
        address buyer;
        uint16 quantity;
        uint80 burned;
    }

    mapping(uint256 firstId => Head) private _heads;

    /// @dev Set for burned tickets of index 79 and above.
    BitMaps.BitMap private _burnedBeyond;

    /// @inheritdoc IBoxofficeTickets
    function mintedQuantity(bytes32 orderKey) external view returns (uint256) {
        return _heads[firstTokenId(orderKey)].quantity;
    }

    /// @inheritdoc IBoxofficeTickets
    function firstTokenId(bytes32 orderKey) public pure returns (uint256) {
        return uint256(orderKey) & ~INDEX_MASK;
    }

    /// @dev Mints all tokens of an order, or does nothing when that was done before. Does not call the receiver.
    function _mintOrder(bytes32 orderKey, address to, uint256 quantity) internal {
        if (to == address(0)) revert ERC721InvalidReceiver(address(0));
        if (quantity == 0 || quantity > MAX_ORDER_QUANTITY) revert InvalidQuantity(quantity);

        uint256 firstId = firstTokenId(orderKey);
        Head storage head = _heads[firstId];
        if (head.quantity != 0) return;

        // In one statement, which the compiler turns into one write.
        (head.buyer, head.quantity, head.burned) = (to, uint16(quantity), 0);
        _increaseBalance(to, uint128(quantity));
        _emitMints(to, firstId, quantity);
    }

    /// @dev Emits one Transfer from the zero address for each ticket. In assembly, since Solidity's `emit` takes
    /// 107 gas more for each, with which an order of 220 tickets or more would cost more than with ERC721A.
    function _emitMints(address to, uint256 firstId, uint256 quantity) private {
        bytes32 transfer = Transfer.selector;
        assembly ("memory-safe") {
            let recipient := shr(96, shl(96, to))
            let end := add(firstId, quantity)
            for { let tokenId := firstId } lt(tokenId, end) { tokenId := add(tokenId, 1) } {
                log4(0, 0, transfer, 0, recipient, tokenId)
            }
        }
    }

    /// @inheritdoc ERC721
    function _ownerOf(uint256 tokenId) internal view virtual override returns (address) {
        address owner = super._ownerOf(tokenId);
        if (owner != address(0)) return owner;

        Head memory head = _heads[tokenId & ~INDEX_MASK];
        bool exists = tokenId & INDEX_MASK < head.quantity && !_isBurned(head.burned, tokenId);
        return exists ? head.buyer : address(0);
    }

    /// @inheritdoc ERC721
    function _update(address to, uint256 tokenId, address auth) internal virtual override returns (address) {
        address from = super._update(to, tokenId, auth);
        if (to == address(0)) _setBurned(tokenId);
        return from;
    }

    /// @dev Without the bit, a burned ticket would fall back to its order's buyer.
    function _setBurned(uint256 tokenId) private {
        uint256 index = tokenId & INDEX_MASK;
        if (index >= INLINE_BITS) {
            _burnedBeyond.set(tokenId);
            index = INLINE_BITS;
        }
        _heads[tokenId & ~INDEX_MASK].burned |= uint80(1 << index);
    }

    /// @param burned The field of the token's {Head}.
    function _isBurned(uint80 burned, uint256 tokenId) private view returns (bool) {
        uint256 index = tokenId & INDEX_MASK;
        if (index < INLINE_BITS) return (burned >> index) & 1 != 0;
        return burned >> INLINE_BITS != 0 && _burnedBeyond.get(tokenId);
    }
}
